// hap erase: texts of a ticket, deleted for good (D19). The log keeps their digests, and says who erased them and why.
import { HapError } from "@hap/protocol";
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

type Options = { fields?: string; reason?: string; yes?: true };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Delete texts of a ticket for good, such as a secret that an agent wrote into it. The log still verifies: it keeps salted digests and records that you erased them. diff_hash, bytes_hash, presentation_hash and call_hash stay.",
    )
    .argument("<ID>", "the ticket")
    .option(
      "--fields <NAMES>",
      "only these, with commas: summary, details, ask, comment, note, reason, answer, edits (default: all)",
    )
    .option("--reason <TEXT>", "why; kept with the event")
    .option("--yes", "do not ask")
    .addHelpText("after", examples('hap erase 7k2m9x --fields details --reason "held a password"'))
    .action((id: string, options: Options) => erase(context, id, options));
}

async function erase(context: Context, typed: string, options: Options): Promise<void> {
  refuseAgent(context, "erase texts");
  const fields = (options.fields ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  await asPerson(context, async (client) => {
    const id = await resolveTicket(client, typed);
    const what = fields.length === 0 ? "every text" : fields.join(", ");
    if (options.yes !== true) await confirmErasure(context, `Erase ${what} of ${id} for good?`);
    const reason = options.reason === undefined ? {} : { reason: options.reason };
    const result = await client.erase({ ticket: id, fields, ...reason });
    if (context.json) return printJson(context, result);
    context.out.line(`Erased from ${id}: ${[...new Set(result.erased.map(({ field }) => field))].join(", ")}.`);
    if (result.pending !== undefined) context.out.line(result.pending);
    context.out.line("The log keeps the digests, and `hap verify` still verifies it.");
  });
}

async function confirmErasure(context: Context, question: string): Promise<void> {
  if (!context.canAsk) {
    throw new HapError("confirmation_needed", `${question} This cannot be undone: say --yes, or run it in a terminal.`, {
      field: "--yes",
    });
  }
  const { askConsent } = await import("../terminal/ask-consent.ts");
  await askConsent(context, question, "Nothing was erased.");
}
