// hap show: everything about one ticket, the draft's lines first. Delivers, and never acknowledges (D8).
import { type AssuranceLevel, isHapError, isOpen, type Json, personWords, shortCode, type Ticket } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Command } from "commander";
import { actingAgent, asAgent, asPerson, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { presentationRows } from "../show/blocks.ts";
import { draftLines } from "../show/draft-lines.ts";
import { endLines } from "../show/ended.ts";
import { ownRows, type Style } from "../show/gutter.ts";
import { historyLines } from "../show/history.ts";
import { printJson, styleOf } from "../show/print-ticket.ts";
import { moment } from "../show/time-words.ts";
import { trustWords } from "../show/trust-words.ts";
import { withstands } from "../show/withstands.ts";
import { wrapLines } from "../terminal/wrap.ts";

export function define(command: Command, context: Context): void {
  command
    .description(
      "Everything about one ticket: nothing is cut off, hidden characters are shown as <U+XXXX>, and a bar (│) marks what the agent wrote. Showing it to you delivers it: its lease starts.",
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

type Seen = { history: readonly Json[]; trust: string; mine: boolean };

function printShown(context: Context, ticket: Ticket, seen: Seen | null): void {
  if (context.json) printJson(context, ticket);
  else context.out.line(shownRows(context, ticket, seen).join("\n"));
}

function shownRows(context: Context, ticket: Ticket, seen: Seen | null): string[] {
  const style = styleOf(context);
  const { paint } = style;
  const rows = [
    ...draftLines(ticket, context.now(), paint),
    "",
    ...stateLines(ticket, style),
    "",
    ...presentationRows(ticket, style),
    "",
    ...ownRows(paint.dim("│ marks what the agent wrote."), style),
  ];
  if (seen !== null) {
    rows.push("", "History:", ...historyLines(seen.history).flatMap((line) => ownRows(line, style)));
    rows.push("", ...seen.trust.split("\n").flatMap((line) => wrapLines(line, style.width)));
    if (seen.mine && isOpen(ticket.state) && context.out.isTerminal) rows.push("", ...nextSteps(ticket).map(paint.dim));
  }
  return rows;
}

function stateLines(ticket: Ticket, { width }: Style): string[] {
  const { lease } = ticket;
  const lines = [`State: ${ticket.state}`, `To: ${personWords(ticket.to)}`, `Code: ${shortCode(ticket.id)}`];
  if (lease.snoozed_until !== null) lines.push(`Snoozed: until ${moment(lease.snoozed_until)}`);
  if (lease.escalate)
    lines.push(`Escalates: to ${lease.escalate.to.map(personWords).join(", then ")} (${lease.escalations} so far)`);
  return [...lines, ...endLines(ticket)].flatMap((line) => wrapLines(line, width));
}

function nextSteps(ticket: Ticket): string[] {
  const code = shortCode(ticket.id);
  if (ticket.ask.type !== "approval") return [`hap answer ${code}`, `hap reject ${code} "why not"`];
  const needs = ticket.tier === "critical" ? "   (critical: you will be asked to type a phrase)" : "";
  return [`hap approve ${code} "a comment"${needs}`, `hap changes ${code} "what first"`, `hap reject ${code} "why not"`];
}
