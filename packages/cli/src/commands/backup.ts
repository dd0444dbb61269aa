// hap backup: the right way to copy a store, also while a server and agents write to it.
import { HapError } from "@hap/protocol";
import { backupStore } from "@hap/sdk/backup";
import type { Command } from "commander";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command
    .description(
      "Copy the store of this machine into a new file: all of it as it is at one moment, verified, for you alone to read. Others can go on reading and writing meanwhile. A copy of the files themselves may mix two moments.",
    )
    .argument("<FILE>", "the copy; it must not exist yet")
    .addHelpText(
      "after",
      "\nTo restore: stop everything that uses the store, put the copy in its place, remove the -wal and -shm files\nbeside it, and run `hap verify`.",
    )
    .addHelpText("after", examples("hap backup hap-monday.db", "HAP_DB_PATH=hap-monday.db hap verify"))
    .action((file: string) => backup(context, file));
}

async function backup(context: Context, file: string): Promise<void> {
  refuseAgent(context, "copy the store");
  if (context.env.HAP_URL)
    throw new HapError(
      "invalid_input",
      `HAP_URL is ${context.env.HAP_URL}: a backup is made on the server's own machine, where its store is. Run \`hap backup\` there, or unset HAP_URL for the store of this machine.`,
      { field: "HAP_URL" },
    );
  const report = await backupStore(file);
  if (context.json) return printJson(context, report);
  const { path, events, head, bytes } = report;
  context.out.line(`Backed up ${events} events to ${path} (${bytes} bytes). The copy verifies.`);
  context.out.line(`Head: ${head}`);
  context.out.line("It holds every text of the store: keep it as private as the store itself.");
}
