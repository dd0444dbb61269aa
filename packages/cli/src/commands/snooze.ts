// hap snooze: not now. Out of the inbox for a while, and the lease waits as long (D9).
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { parseDuration } from "../input/duration.ts";
import { examples } from "../program.ts";
import { printDone } from "../show/print-ticket.ts";
import { moment } from "../show/time-words.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Hide a ticket from the inbox for a while. Its deadline moves by as much.")
    .argument("<ID>", "the ticket")
    .argument("<TIME>", "for how long: 20m, 2h")
    .addHelpText("after", examples("hap snooze 7k2m9x 20m"))
    .action((id: string, time: string) => snooze(context, id, time));
}

async function snooze(context: Context, typed: string, time: string): Promise<void> {
  refuseAgent(context, "put off tickets");
  const seconds = parseDuration(time, "TIME");
  await asPerson(context, async (client) => {
    const ticket = await client.snooze(await resolveTicket(client, typed), seconds);
    const until = ticket.lease.snoozed_until;
    printDone(context, ticket, "Ticket snoozed.", until === null ? [] : [`Back in the inbox at ${moment(until)}.`]);
  });
}
