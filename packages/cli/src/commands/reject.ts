// hap reject: a no needs no step-up (D3). The words reach the agent as they are.
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { recordedLines } from "../show/decided.ts";
import { printDone } from "../show/print-ticket.ts";
import { doneWords } from "../show/quorum-lines.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Reject a ticket. The agent reads your comment as you wrote it.")
    .argument("<ID>", "the ticket")
    .argument("[COMMENT...]", "why not, for the agent")
    .addHelpText("after", examples('hap reject 7k2m9x "Please add unit tests first"'))
    .action((id: string, comment: string[]) => reject(context, id, comment.join(" ")));
}

async function reject(context: Context, typed: string, comment: string): Promise<void> {
  refuseAgent(context, "decide");
  await asPerson(context, async (client) => {
    const id = await resolveTicket(client, typed);
    const ticket = await client.reject(id, comment === "" ? undefined : comment);
    const ended = comment === "" ? "Ticket rejected." : "Ticket rejected with comment.";
    printDone(context, ticket, doneWords(ticket, ended, "Your rejection"), recordedLines(ticket));
  });
}
