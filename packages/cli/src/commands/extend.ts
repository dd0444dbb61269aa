// hap extend: more time, at most seven days in all (D9).
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { parseDuration } from "../input/duration.ts";
import { examples } from "../program.ts";
import { leaseWords } from "../show/draft-lines.ts";
import { printDone } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Give a ticket more time, at most 7 days in all.")
    .argument("<ID>", "the ticket")
    .argument("<TIME>", "how much more: 5m, 1h30m")
    .addHelpText("after", examples("hap extend 7k2m9x 30m"))
    .action((id: string, time: string) => extend(context, id, time));
}

async function extend(context: Context, typed: string, time: string): Promise<void> {
  refuseAgent(context, "give themselves more time");
  const seconds = parseDuration(time, "TIME");
  await asPerson(context, async (client) => {
    const ticket = await client.extend(await resolveTicket(client, typed), seconds);
    printDone(context, ticket, "Ticket extended.", [`Lease: ${leaseWords(ticket, context.now())}`]);
  });
}
