// hap export-data: everything that the store holds about a person, as JSON (draft 19.1).
import { writeFileSync } from "node:fs";
import { HapError, quote } from "@hap/protocol";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";

type Options = { humanId: string; also?: string[]; output?: string };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Write everything that the store holds about a person as JSON: tickets, decisions, comments, keys, sign-ins, conversations and settings, and texts of others that name them. For oneself, or, as an owner, for anybody. The schema is spec/schemas/person-data.json.",
    )
    .requiredOption("--human-id <ID>", "whose data: human:NAME")
    .option("--also <WORDS...>", "further words to search texts of others for: a full name, an address")
    .option("--output <FILE>", "a new file that only you can read (default: standard output)")
    .addHelpText(
      "after",
      examples("hap export-data --human-id=human:alex", "hap export-data --human-id=human:alex --output alex.json"),
    )
    .action((options: Options) => exportData(context, options));
}

async function exportData(context: Context, { humanId, also, output }: Options): Promise<void> {
  refuseAgent(context, "export anybody's data");
  await asPerson(context, async (client) => {
    const data = await client.exportPerson(humanId, also === undefined ? {} : { also });
    const text = `${JSON.stringify(data, null, 2)}\n`;
    if (output === undefined) {
      await context.out.stream(text);
      return;
    }
    writeNew(output, text);
    context.out.line(`Wrote ${data.tickets.length} tickets and ${data.events.length} events of ${data.person} to ${output}.`);
  });
}

/** A file that is there stays as it is. */
function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "exists; give a name that is free" : `cannot be written (${code})`;
    throw new HapError("invalid_input", `${quote(path)} ${why}.`, { field: "--output" }, error);
  }
}
