// hap reassign: to somebody else, with a fresh lease.
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printDone } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Assign a ticket to another person. Its timer starts again.")
    .argument("<ID>", "the ticket")
    .argument("<PERSON>", "who decides it now")
    .addHelpText("after", examples("hap reassign 7k2m9x human:sam"))
    .action((id: string, person: string) => reassign(context, id, person));
}

async function reassign(context: Context, typed: string, person: string): Promise<void> {
  refuseAgent(context, "choose who decides");
  await asPerson(context, async (client) => {
    const ticket = await client.reassign(await resolveTicket(client, typed), person);
    printDone(context, ticket, `Ticket given to ${ticket.to}.`);
  });
}
