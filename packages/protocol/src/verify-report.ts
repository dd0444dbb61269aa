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

/** A verified copy of a store: where it is, and what it ends with. */
export type BackupReport = {
  path: string;
  events: number;
  head: string;
  bytes: number;
  /** Noted in the store, so that erasures reach it; false where the disk of the store is full. */
  recorded: boolean;
};

/** What became of the tickets of a store of the 0.1 draft. `broken` is the first event of its log that does not hash, or null. */
export type DraftImport = {
  chain: { events: number; head: string; broken: string | null };
  open: DraftMove[];
  ended: DraftMove[];
  /** Imported before. */
  known: DraftMove[];
  refused: (DraftMove & { why: string })[];
};
/** A ticket's id there and here, and its state there. */
type DraftMove = { draft_id: string; id: string; state: string };

/** When a log was verified and what was found, as it is kept; `problem` is null when it verified. */
export type LastVerification = {
  at: string;
  ok: boolean;
  events: number;
  head: string;
  chain_only: boolean;
  problem: string | null;
};
