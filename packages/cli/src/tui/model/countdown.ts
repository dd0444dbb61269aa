// What is left of a lease, told by our own clock from the moment of reading: another machine's clock may differ.
import { isOpen, type Ticket } from "@hap/protocol";

/** The ticket as its lease stands now. */
export function ticketNow(ticket: Ticket, readAtMs: number, nowMs: number): Ticket {
  if (!isOpen(ticket.state) || ticket.lease.paused) return ticket;
  const passed = Math.max(0, Math.floor((nowMs - readAtMs) / 1000));
  return { ...ticket, lease: { ...ticket.lease, remaining_seconds: Math.max(0, ticket.lease.remaining_seconds - passed) } };
}

/** The last minute, in which "+5 min" is offered. */
export function isLastMinute(ticket: Ticket): boolean {
  return isOpen(ticket.state) && !ticket.lease.paused && ticket.lease.remaining_seconds <= 60;
}
