// What is known about one ticket: everything fixed when it was opened, and what happened since. Made only by `fold`.
import type { AssuranceLevel, CountedVote, LeaseClock, LoggedTicket, StoredResolution, TicketState } from "@hap/protocol";

/** What one person said about a ticket that needs several (D45). */
export type StoredVote = CountedVote & {
  assurance: AssuranceLevel;
  at: string;
  comment: string | null;
  confirmed: boolean;
};

/** The state of a ticket, in references and handles; `view.ts` turns it into words and names. */
export type TicketRecord = {
  /** Place of its `ticket.create`, and of the last event that changed it. */
  seq: number;
  lastSeq: number;
  /** Bare hex hash of its `ticket.create`. */
  hash: string;
  ticket: LoggedTicket;
  state: TicketState;
  /** The handle of the person who has it now. */
  to: string;
  clock: LeaseClock;
  /** How often it was escalated. */
  depth: number;
  deliveredAt: string | null;
  snoozedUntil: number | null;
  /** When a live waiter last renewed the lease. */
  renewedAt: number | null;
  resolution: StoredResolution | null;
  consumed: { by: string; call_hash: string; at: string } | null;
  heardAt: string | null;
  updatedAt: string;
  /** The last vote of each person; only on a ticket with a quorum. */
  votes?: StoredVote[];
};

/** ISO time of a moment, as every payload carries it. */
export function toIso(ms: number): string {
  if (ms === lastMs) return lastIso;
  if (ms === earlierMs) return earlierIso;
  [earlierMs, earlierIso] = [lastMs, lastIso];
  [lastMs, lastIso] = [ms, new Date(ms).toISOString()];
  return lastIso;
}

// One command writes the same moment many times, and often a deadline beside it.
let [lastMs, lastIso] = [Number.NaN, ""];
let [earlierMs, earlierIso] = [Number.NaN, ""];

/** Moment of an ISO time. */
export function fromIso(time: string): number {
  // Often it was written a moment ago.
  if (time === lastIso) return lastMs;
  if (time === earlierIso) return earlierMs;
  if (time !== readIso) {
    readMs = Date.parse(time);
    readIso = time;
  }
  return readMs;
}

// Events of one command carry the same moment.
let readIso = "";
let readMs = Number.NaN;
