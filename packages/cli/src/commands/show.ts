// hap show: everything about one ticket, the draft's lines first. Delivers, and never acknowledges (D8).
import { type AssuranceLevel, isHapError, type Ticket } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Command } from "commander";
import { actingAgent, asAgent, asPerson, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { type SeenTicket, shownRows } from "../show/shown-ticket.ts";
import { trustWords } from "../show/trust-words.ts";
import { withstands } from "../show/withstands.ts";

export function define(command: Command, context: Context): void {
  command
    .description(
      "Everything about one ticket: nothing is cut off, hidden characters are shown as <U+XXXX>, and a bar (│) marks what the agent wrote. Showing it to you delivers it: its timer starts.",
    )
    .argument("<ID>", "the ticket")
    .addHelpText("after", examples("hap show 7k2m9x", "hap show tk_4v9c2m7k2m9x --json"))
    .action((id: string) => show(context, id));
}

async function show(context: Context, typed: string): Promise<void> {
  const agent = actingAgent(context);
  if (agent !== null) return asAgent(agent, async (client) => printShown(context, await client.getTicket(typed), null));
  await asPerson(context, async (client) => {
    const ticket = await client.show(await resolveTicket(client, typed));
    const history = context.json ? [] : await client.history(ticket.id);
    const trust = `${trustWords(client.trust)}\n${withstands(client.trust, await evidenceOf(client, ticket)).long}`;
    printShown(context, ticket, { history, trust, mine: ticket.to === client.person });
  });
}

/** The evidence of the yes that was given, or of the least one that would do. */
async function evidenceOf(client: PersonClient, ticket: Ticket): Promise<AssuranceLevel> {
  if (ticket.resolution !== null) return ticket.resolution.assurance;
  try {
    return (await client.needed(ticket.id)).signature ?? "local";
  } catch (error) {
    // Asking applies leases first; on a full disk the ticket can still be read, and nothing can be decided.
    if (isHapError(error) && error.code === "store_full") return "local";
    throw error;
  }
}

function printShown(context: Context, ticket: Ticket, seen: SeenTicket | null): void {
  if (context.json) printJson(context, ticket);
  else context.out.line(shownRows(context, ticket, seen).join("\n"));
}
