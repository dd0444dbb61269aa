// What a verification of the log finds (D21), and what is kept of the last one.

/** Where and why a log does not verify. */
export type Violation = { seq: number; event_id: string | null; message: string };

/**
 * What verification found. `anchor` is where the head is pinned outside, or null. Names, accounts and roles from before the event
 * `unproven_before` were not in the log when they were given.
 */
export type VerifyReport = { events: number; head: string; chainOnly: boolean; anchor: string | null } & (
  | { ok: true; unproven_before?: number }
  | { ok: false; violation: Violation }
);

/** When a log was verified and what was found, as it is kept; `problem` is null when it verified. */
export type LastVerification = {
  at: string;
  ok: boolean;
  events: number;
  head: string;
  chain_only: boolean;
  problem: string | null;
};
