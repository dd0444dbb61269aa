// More time, or somebody else (D9, D15): extend, renew, snooze and reassign. What people add is limited in all.
import { extendLease, LIMITS, type NewEvent, reassignLease, remainingMs } from "@hap/protocol";
import { guardAdded, guardDeadline, guardOpen, guardRenewal } from "../guards.ts";
import { type TicketRecord, toIso } from "../record.ts";

const limitMs = LIMITS.addedSecondsMax * 1000;

/** A person gives the ticket more time. */
export function decideExtend(record: TicketRecord, from: string, seconds: number, now: number): NewEvent[] {
  guardOpen(record);
  guardDeadline(record, now);
  guardAdded(record, extendLease(record.clock, seconds * 1000, true), limitMs);
  return [{ type: "ticket.extend", ticket_id: record.ticket.id, by: "person", from, seconds }];
}

/** A live waiter keeps its ticket open: the whole lease runs again from now. Nothing is written while it is whole. */
export function decideRenew(record: TicketRecord, from: string, now: number): NewEvent[] {
  guardOpen(record);
  guardDeadline(record, now);
  guardRenewal(record, now);
  const seconds = secondsToRenew(record, now);
  return seconds === 0 ? [] : [{ type: "ticket.extend", ticket_id: record.ticket.id, by: "waiter", from, seconds }];
}

/** What is missing from a whole lease, running or paused, in whole seconds: moments of the log are exact. */
export function secondsToRenew(record: TicketRecord, now: number): number {
  return Math.max(0, Math.ceil((record.clock.ttlMs - remainingMs(record.clock, now)) / 1000));
}

/** "Not now": out of the inbox for a while, and the lease waits as long. */
export function decideSnooze(record: TicketRecord, from: string, seconds: number, now: number): NewEvent[] {
  guardOpen(record);
  guardDeadline(record, now);
  guardAdded(record, extendLease(record.clock, seconds * 1000, true), limitMs);
  return [{ type: "ticket.snooze", ticket_id: record.ticket.id, from, seconds, until: toIso(now + seconds * 1000) }];
}

/** To somebody else, with a fresh lease. */
export function decideReassign(record: TicketRecord, from: string, to: string, now: number): NewEvent[] {
  guardOpen(record, "PENDING");
  guardDeadline(record, now);
  guardAdded(record, reassignLease(record.clock, now), limitMs);
  return [{ type: "ticket.reassign", ticket_id: record.ticket.id, from_state: record.state, from, to }];
}
