// hap ack: you are looking at it, and the lease pauses (D8, D9).
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { parseDuration } from "../input/duration.ts";
import { examples } from "../program.ts";
import { leaseWords } from "../show/draft-lines.ts";
import { printDone } from "../show/print-ticket.ts";

type Options = { for?: string };

export function define(command: Command, context: Context): void {
  command
    .description("Pause a ticket's timer while you review it: until you decide, or for as long as --for says.")
    .argument("<ID>", "the ticket")
    .argument("[NOTE...]", "a note for the ticket's history")
    .option("--for <TIME>", "resume the timer after this long: 10m")
    .addHelpText("after", examples('hap ack 7k2m9x "Reviewing now..."', "hap ack 7k2m9x --for 15m"))
    .action((id: string, note: string[], options: Options) => ack(context, id, note.join(" "), options));
}

async function ack(context: Context, typed: string, note: string, options: Options): Promise<void> {
  refuseAgent(context, "acknowledge tickets");
  const lapse = options.for === undefined ? {} : { lapseSeconds: parseDuration(options.for, "--for") };
  await asPerson(context, async (client) => {
    const ticket = await client.ack(await resolveTicket(client, typed), note === "" ? undefined : note, lapse);
    const lease = `Lease: ${leaseWords(ticket, context.now())}`;
    printDone(context, ticket, "Ticket acknowledged. Lease timer paused.", [lease]);
  });
}
