// A ticket and the moment at which it was fetched: its countdown then needs no agreement between two clocks.
import { isOpen, PRIORITIES, type Ticket } from "@hap/protocol";

/** `at` is the local time of the answer that brought it. */
export type Held = { ticket: Ticket; at: number };

export const hold = (ticket: Ticket): Held => ({ ticket, at: Date.now() });

/** Seconds left on the lease; it stands still while paused. */
export function secondsLeft({ ticket, at }: Held, now: number): number {
  const { remaining_seconds: left, paused } = ticket.lease;
  return Math.max(0, paused ? left : left - (now - at) / 1000);
}

/** True while the person put it off; their clock may differ from the server's by little, and a little is harmless. */
export function isAsleep({ ticket }: Held, now: number): boolean {
  const until = ticket.lease.snoozed_until;
  return until !== null && isOpen(ticket.state) && Date.parse(until) > now;
}

const rank = (ticket: Ticket) => PRIORITIES.indexOf(ticket.priority);

/** As tickets are to be triaged: by priority, then oldest first. */
export function byUrgency(a: Held, b: Held): number {
  return rank(a.ticket) - rank(b.ticket) || a.ticket.seq - b.ticket.seq;
}

/** The newest end first. */
export function byEnd(a: Held, b: Held): number {
  return Date.parse(endOf(b.ticket)) - Date.parse(endOf(a.ticket)) || b.ticket.seq - a.ticket.seq;
}

const endOf = (ticket: Ticket) => ticket.resolution?.at ?? ticket.updated_at;
