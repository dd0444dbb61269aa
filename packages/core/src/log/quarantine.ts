// What a verification leaves in the store for every process: when it was, what it found, and the violation that makes the
// store read-only until the log verifies again (D21).
import { isHapError, type LastVerification, type VerifyReport } from "@hap/protocol";
import type { StoreReader, StoreWriter } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";

/** What notes are written with: directly, also in a store whose log does not verify. */
type Writing = { rows: StoreReader; write: <T>(work: (rows: StoreWriter, now: number) => T) => T };

/**
 * Keep what a verification found. Only a clean one of the whole log lifts a violation, not one of its chain alone, and none that
 * nobody asked for: a person must look at what was changed and changed back.
 */
export function keepVerification(engine: Writing, report: VerifyReport, asked = true): void {
  const problem = report.ok ? null : report.violation.message;
  const { ok, events, head, chainOnly } = report;
  const changes = readViolation(engine.rows) !== problem && !(ok && (chainOnly || !asked));
  try {
    engine.write((rows, now) => {
      const last: LastVerification = { at: toIso(now), ok, events, head, chain_only: chainOnly, problem };
      rows.setConfig("last_verification", JSON.stringify(last));
      if (changes) rows.setConfig("violation", problem);
    });
  } catch (error) {
    // A log on a full disk can be verified all the same; only the note of it is missing then.
    if (changes || !isHapError(error)) throw error;
  }
}

/** What SQLite says when a statement names a table, a column or an index that is not there. */
const NO_SUCH_PART = 1;

/** A statement failed: when a part of the database is missing, the store becomes read-only; true then. */
export function quarantineLayout(runner: Writing, error: unknown): boolean {
  if (!isHapError(error) || error.fields.sqlite !== NO_SUCH_PART) return false;
  const problem = runner.rows.schemaProblem();
  if (problem === null) return false;
  runner.write((rows) => rows.setConfig("violation", `Integrity violation: ${problem}.`));
  return true;
}

/** The last verification of the log by anybody, or null when there was none. */
export function readLastVerification(store: StoreReader): LastVerification | null {
  const text = store.config("last_verification");
  return text === undefined ? null : (JSON.parse(text) as LastVerification);
}

/** The violation that made the store read-only, or null. */
export function readViolation(store: StoreReader): string | null {
  return store.config("violation") ?? null;
}
