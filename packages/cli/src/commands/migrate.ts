// hap migrate: the store of this machine into PostgreSQL, or back.
import { migrateBack, migrateStore } from "@hap/sdk/migrate";
import type { Command } from "commander";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command
    .description(
      "Copy the store of this machine into the database that HAP_DATABASE_URL names, or back into a file: every event, hash and text as it is, verified in its new place. The source stays as it was. Its server may run: only a short last step keeps it from writing. Then stop the server and run this once more, which copies what is new; start servers on the database after that. After a failure, run it again: it goes on where it stopped.",
    )
    .option("--store <path>", "the store to copy (default HAP_DB_PATH, else ~/.hap/hap.db)")
    .option("--back <file>", "copy the space of HAP_SPACE (default `default`) out of the database, into this new file")
    .addHelpText(
      "after",
      examples(
        "HAP_DATABASE_URL=postgres://hap@db.example.org/hap hap migrate",
        "HAP_DATABASE_URL=postgres://hap@db.example.org/hap hap migrate --back hap.db",
      ),
    )
    .action((options: { store?: string; back?: string }) => migrate(context, options));
}

async function migrate(context: Context, { store, back }: { store?: string; back?: string }): Promise<void> {
  refuseAgent(context, "move the store");
  const path = store ?? (context.env.HAP_DB_PATH || undefined);
  const report = back === undefined ? await migrateStore(path, () => {}) : await migrateBack(back);
  if (context.json) return printJson(context, report);
  const { from, to, space, events, head, locked_ms: locked } = report;
  context.out.line(`Copied ${events} events of the space ${space} from ${from} to ${to}. The copy verifies.`);
  context.out.line(`Head: ${head}`);
  if (locked === undefined) return;
  context.out.line(
    `The file was locked for ${(locked / 1000).toFixed(1)} s. If its server still runs: stop it, and run this once more to copy what is new.`,
  );
}
