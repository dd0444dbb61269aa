// The arithmetic of leases (D9, D10), in milliseconds since the epoch, without a clock of its own.
// Invariant: an open ticket has either a deadline (running) or a remainder (paused), never both.
import { LATE_MS, LIMITS, type OpenState, type TimeoutAction } from "./constants.ts";

/** Where a lease stands. `lapseAt` is when a temporary ack ends; `addedMs` is what people added so far. */
export type LeaseClock = {
  ttlMs: number;
  deadline: number | null;
  remaining: number | null;
  lapseAt: number | null;
  addedMs: number;
};

/** A lease that has not started: a ticket that nobody could be given times out as well. */
export function startLease(createdAt: number, ttlMs: number): LeaseClock {
  return { ttlMs, deadline: createdAt + ttlMs, remaining: null, lapseAt: null, addedMs: 0 };
}

/** DELIVERED: the full time runs from now; time that was added before is not taken away. */
export function deliverLease(clock: LeaseClock, now: number): LeaseClock {
  return { ...clock, deadline: Math.max(now + clock.ttlMs, clock.deadline ?? 0), remaining: null, lapseAt: null };
}

/** ACKED: paused. With `ackTtlMs` the pause ends by itself. */
export function pauseLease(clock: LeaseClock, now: number, ackTtlMs: number | null): LeaseClock {
  const remaining = clock.remaining ?? Math.max(0, (clock.deadline ?? now) - now);
  return { ...clock, deadline: null, remaining, lapseAt: ackTtlMs === null ? null : now + ackTtlMs };
}

/** A temporary ack ended at its own time: the lease runs on from there, whoever notices and whenever. */
export function resumeLease(clock: LeaseClock, at: number): LeaseClock {
  return { ...clock, deadline: at + (clock.remaining ?? 0), remaining: null, lapseAt: null };
}

/** More time. A person's additions count against the limit, a live waiter's do not (D15). */
export function extendLease(clock: LeaseClock, ms: number, counts: boolean): LeaseClock {
  return {
    ...clock,
    deadline: clock.deadline === null ? null : clock.deadline + ms,
    remaining: clock.remaining === null ? null : clock.remaining + ms,
    addedMs: clock.addedMs + (counts ? ms : 0),
  };
}

/** More time from a person who wants to see the ticket later; a temporary ack lasts longer too. */
export function snoozeLease(clock: LeaseClock, ms: number): LeaseClock {
  return { ...extendLease(clock, ms, true), lapseAt: clock.lapseAt === null ? null : clock.lapseAt + ms };
}

/** Escalated: a fresh lease for the next person, as if the ticket had just been opened. */
export function restartLease(clock: LeaseClock, now: number): LeaseClock {
  return { ...clock, deadline: now + clock.ttlMs, remaining: null, lapseAt: null };
}

/** Reassigned by a person: a fresh lease too, and what it gives beyond the old one counts against the limit. */
export function reassignLease(clock: LeaseClock, now: number): LeaseClock {
  const given = Math.max(0, clock.ttlMs - remainingMs(clock, now));
  return { ...restartLease(clock, now), addedMs: clock.addedMs + given };
}

/** True while what people added stays within seven days in all (D9). */
export function withinAddedLimit(clock: LeaseClock, ms: number): boolean {
  return clock.addedMs + ms <= LIMITS.addedSecondsMax * 1000;
}

/** When something happens by itself: the end of the lease or of a temporary ack; never for a lasting pause. */
export function nextDeadline(clock: LeaseClock): number | null {
  return clock.deadline ?? clock.lapseAt;
}

/** Milliseconds left, running or paused. */
export function remainingMs(clock: LeaseClock, now: number): number {
  if (clock.remaining !== null) return clock.remaining;
  return clock.deadline === null ? 0 : Math.max(0, clock.deadline - now);
}

/** What is due now: nothing, the end of a temporary ack, or the end of the lease. A moment equal to the deadline is due. */
export function dueStep(state: OpenState, clock: LeaseClock, now: number): "nothing" | "lapse" | "timeout" {
  if (state === "ACKED") return clock.lapseAt !== null && now >= clock.lapseAt ? "lapse" : "nothing";
  return clock.deadline !== null && now >= clock.deadline ? "timeout" : "nothing";
}

/** How a lease that ended leaves its ticket (D10): approval only from DELIVERED, and never when applied late. */
export function timeoutEnd(
  state: OpenState,
  action: TimeoutAction,
  late: boolean,
): { state: "APPROVED" | "EXPIRED" | "CANCELED"; outcome: "approved" | "rejected" | "canceled" } {
  if (action === "cancel") return { state: "CANCELED", outcome: "canceled" };
  if (action === "auto_approve" && state === "DELIVERED" && !late) return { state: "APPROVED", outcome: "approved" };
  return { state: "EXPIRED", outcome: "rejected" };
}

/** True when a deadline is applied so late that it must not approve: suspend, nobody running, a clock that jumped. */
export function isLate(deadline: number, now: number): boolean {
  return now - deadline > LATE_MS;
}
