// hap changes: not like this; the agent reads what to change.
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { recordedLines } from "../show/decided.ts";
import { printDone } from "../show/print-ticket.ts";
import { doneWords } from "../show/quorum-lines.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Request changes. The ticket ends, and the agent reads your comment as you wrote it.")
    .argument("<ID>", "the ticket")
    .argument("[COMMENT...]", "what to change, for the agent")
    .addHelpText("after", examples('hap changes 7k2m9x "Split it in two"'))
    .action((id: string, comment: string[]) => requestChanges(context, id, comment.join(" ")));
}

async function requestChanges(context: Context, typed: string, comment: string): Promise<void> {
  refuseAgent(context, "decide");
  await asPerson(context, async (client) => {
    const id = await resolveTicket(client, typed);
    const ticket = await client.requestChanges(id, comment === "" ? undefined : comment);
    printDone(context, ticket, doneWords(ticket, "Changes requested.", "Your wish for changes"), recordedLines(ticket));
  });
}
