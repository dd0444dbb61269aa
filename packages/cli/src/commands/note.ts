// hap note: a remark on a ticket's history, by its person or its agent.
import type { Command } from "commander";
import { actingAgent, asAgent, asPerson, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printDone } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Add a note to a ticket's history. It changes nothing else, and works in any state.")
    .argument("<ID>", "the ticket")
    .argument("<TEXT...>", "the remark")
    .addHelpText("after", examples('hap note 7k2m9x "Asked Sam about the index"'))
    .action((id: string, text: string[]) => note(context, id, text.join(" ")));
}

async function note(context: Context, typed: string, text: string): Promise<void> {
  const agent = actingAgent(context);
  const ticket =
    agent === null
      ? await asPerson(context, async (client) => client.note(await resolveTicket(client, typed), text))
      : await asAgent(agent, (client) => client.note(typed, text));
  printDone(context, ticket, "Note added.");
}
