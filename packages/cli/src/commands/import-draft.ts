// hap import-draft: the tickets of a store of the 0.1 draft, taken over into this one (D36).
import { resolve } from "node:path";
import { type DraftImport, HapError, showInvisible } from "@hap/protocol";
import { importDraft } from "@hap/sdk/import-draft";
import type { Command } from "commander";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

type Options = { dryRun?: true; unverified?: true };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Import the tickets of a store of the 0.1 draft. Open tickets wait again, with a new timer. Ended tickets keep their outcome, but none counts as decided here: nothing in such a store proves who decided. The old file is not changed.",
    )
    .argument("<FILE>", "the old store, such as the hap.db of before")
    .option("--dry-run", "say what would be imported; write nothing")
    .option("--unverified", "also when the old log's hash chain is broken; every ticket says so")
    .addHelpText(
      "after",
      "\nExit codes:\n  0  everything was imported, now or before\n  1  some tickets were not; they are named",
    )
    .addHelpText("after", examples("hap import-draft ~/hap-0.1.db --dry-run", "hap import-draft ~/hap-0.1.db"))
    .action((file: string, options: Options) => run(context, file, options));
}

async function run(context: Context, file: string, options: Options): Promise<void> {
  refuseAgent(context, "import a store");
  if (context.env.HAP_URL)
    throw new HapError("invalid_input", "A store is imported on the machine of the new store. Run it there, without HAP_URL.", {
      field: "HAP_URL",
    });
  const dryRun = options.dryRun === true;
  const report = await importDraft(resolve(context.cwd, file), { dryRun, unverified: options.unverified === true });
  context.exitCode = report.refused.length === 0 ? 0 : 1;
  if (context.json) return printJson(context, report);
  for (const line of lines(report, dryRun)) context.out.line(line);
}

function lines({ chain, open, ended, known, refused }: DraftImport, dryRun: boolean): string[] {
  const held = chain.broken === null ? "its hash chain verifies" : `its hash chain is BROKEN at ${showInvisible(chain.broken)}`;
  const count = (tickets: readonly unknown[]) => `${tickets.length} ${tickets.length === 1 ? "ticket" : "tickets"}`;
  const renamed = [...open, ...ended].filter(({ draft_id, id }) => draft_id !== id);
  return [
    `The old log has ${chain.events} events; ${held}.`,
    `${dryRun ? "Would import" : "Imported"}: ${count(open)} open, ${count(ended)} ended.${known.length > 0 ? ` ${count(known)} imported before.` : ""}`,
    ...renamed.map(({ draft_id, id }) => `  ${showInvisible(draft_id)} is ${id} here`),
    ...refused.map(({ draft_id, why }) => `Not imported: ${showInvisible(draft_id)}: ${showInvisible(why)}`),
  ];
}
