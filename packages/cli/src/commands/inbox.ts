// hap inbox: what waits for you. Showing a ticket delivers it (D8), a page at a time.
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { parseNumber } from "../input/number.ts";
import { examples } from "../program.ts";
import { inboxTable } from "../show/inbox-table.ts";
import { printPage } from "../show/print-page.ts";

type Options = { limit?: string; cursor?: string };

export function define(command: Command, context: Context): void {
  command
    .description("Tickets waiting for you, most urgent first. A ticket that is shown here counts as delivered: its timer starts.")
    .option("--limit <N>", "tickets on the page (default 50)")
    .option("--cursor <CURSOR>", "the page after this one")
    .addHelpText("after", examples("hap inbox", "HAP_HUMAN_ID=human:alex hap inbox --json"))
    .action((options: Options) => inbox(context, options));
}

async function inbox(context: Context, options: Options): Promise<void> {
  refuseAgent(context, "read a person's inbox (`hap list` shows your own tickets)");
  const limit = parseNumber(options.limit, "--limit", "a whole number from 1 to 1000");
  await asPerson(context, async (client) => {
    const page = await client.inbox({
      ...(limit === undefined ? {} : { limit }),
      ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
    });
    printPage(context, page, { empty: `Nothing waits for ${client.person}.`, command: "hap inbox", table: inboxTable });
    if (!context.json) printOthers(context, client.person, await client.waiting());
  });
}

/** Tickets for other people are not shown here, and must not go unnoticed. */
function printOthers(context: Context, person: string, waiting: readonly { person: string; tickets: number }[]): void {
  for (const other of waiting.filter((found) => found.person !== person)) {
    const count = other.tickets === 1 ? "1 ticket waits" : `${other.tickets} tickets wait`;
    const how = context.env.HAP_URL ? "They sign in with `hap login`." : `To see them: HAP_HUMAN_ID=${other.person} hap inbox`;
    context.err.line(`${count} for ${other.person}. ${how}`);
  }
}
