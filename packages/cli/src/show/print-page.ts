// A page of tickets: the table, or a JSON array; where there is more, how to get it.
import { isOpen, shortCode, type Ticket } from "@hap/protocol";
import type { TicketPage } from "@hap/sdk";
import type { Context } from "../context.ts";
import { makePaint } from "../terminal/paint.ts";
import { printJson } from "./print-ticket.ts";
import { ticketTable } from "./ticket-table.ts";
import { span } from "./time-words.ts";

type Words = { empty: string; command: string; withState?: boolean; table?: typeof ticketTable };

export function printPage(context: Context, page: TicketPage, words: Words): void {
  if (context.json) printJson(context, page.tickets);
  else if (page.tickets.length === 0) context.out.line(words.empty);
  else {
    context.out.line((words.table ?? ticketTable)(context, page.tickets, words.withState));
    if (context.out.isTerminal) printHints(context, page.tickets);
  }
  if (page.undelivered !== undefined)
    context.err.line(`hap: These tickets are not delivered, and their leases have not started. ${page.undelivered}`);
  if (page.next !== null) context.err.line(`There are more: ${words.command} --cursor ${page.next}`);
}

/** For people at a terminal: what ends next, and what to type. */
function printHints(context: Context, tickets: readonly Ticket[]): void {
  const paint = makePaint(context.env, true);
  const running = tickets.filter(({ state, lease }) => isOpen(state) && !lease.paused && lease.deadline_at !== null);
  const soonest = running.sort((a, b) => a.lease.remaining_seconds - b.lease.remaining_seconds)[0];
  const first = tickets[0];
  if (soonest !== undefined)
    context.out.line(
      paint.dim(
        `Next to end: ${shortCode(soonest.id)} in ${span(soonest.lease.remaining_seconds)} (${soonest.lease.on_timeout})`,
      ),
    );
  if (first !== undefined) context.out.line(paint.dim(`Read one: hap show ${shortCode(first.id)}`));
}
