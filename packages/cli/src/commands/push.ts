// hap push: the keys by which push services know this server, so that it can call browsers of people who are not looking.
import type { Command } from "commander";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { examples, subcommand } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

type KeysOptions = { contact: string; file?: string; store?: string };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Web Push: a server with keys notifies people's browsers when a ticket waits, also when no page is open. Each person turns it on in the page's settings.",
    )
    .addHelpText("after", examples("hap push keys --contact mailto:ops@example.org", "hap serve"));
  subcommand(command, "keys")
    .description(
      "Create the keys, once, in a file that only you can read. `hap serve` finds it beside the store, or where --push-keys says.",
    )
    .requiredOption("--contact <address>", "whom a push service writes to when something is wrong: mailto:... or https://...")
    .option("--file <path>", "where to keep them (default push-keys.json beside the store)")
    .option("--store <path>", "the store (default HAP_DB_PATH, else ~/.hap/hap.db)")
    .addHelpText("after", examples("hap push keys --contact mailto:ops@example.org"))
    .action((options: KeysOptions) => makeKeys(context, options));
}

async function makeKeys(context: Context, { contact, file, store }: KeysOptions): Promise<void> {
  refuseAgent(context, "make the keys of a server");
  const { makePushKeys, pushKeysPath } = await import("@hap/server");
  const path = file ?? pushKeysPath({ dbPath: store, home: context.home });
  const { publicKey } = makePushKeys(path, contact);
  if (context.json) return printJson(context, { path, public_key: publicKey, contact });
  context.out.line(`The keys are in ${path}; the private one is nowhere else.`);
  context.out.line("Start `hap serve` again; then everybody can switch push on in the page's settings, in each browser.");
}
