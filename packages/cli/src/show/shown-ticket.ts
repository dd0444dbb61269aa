// A ticket as `hap show` prints it: the draft's lines, its state, what is asked for, and for its person history and what a yes is worth.
import { isOpen, type Json, personWords, shortCode, type Ticket } from "@hap/protocol";
import type { Context } from "../context.ts";
import { wrapLines } from "../terminal/wrap.ts";
import { presentationRows } from "./blocks.ts";
import { draftLines } from "./draft-lines.ts";
import { endLines } from "./ended.ts";
import { ownRows, type Style } from "./gutter.ts";
import { historyLines } from "./history.ts";
import { styleOf } from "./print-ticket.ts";
import { quorumLines } from "./quorum-lines.ts";
import { moment } from "./time-words.ts";

/** What a person sees beside the ticket itself. */
export type SeenTicket = { history: readonly Json[]; trust: string; mine: boolean };

/** Every row of it. */
export function shownRows(context: Context, ticket: Ticket, seen: SeenTicket | null): string[] {
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
  return [...lines, ...quorumLines(ticket), ...endLines(ticket)].flatMap((line) => wrapLines(line, width));
}

function nextSteps(ticket: Ticket): string[] {
  const code = shortCode(ticket.id);
  if (ticket.ask.type !== "approval") return [`hap answer ${code}`, `hap reject ${code} "why not"`];
  const needs = ticket.tier === "critical" ? "   (critical: you will be asked to type a phrase)" : "";
  return [`hap approve ${code} "a comment"${needs}`, `hap changes ${code} "what first"`, `hap reject ${code} "why not"`];
}
