// What a verification leaves in the store for every process: when it was, what it found, and the violation that makes the
// store read-only until the log verifies again (D21).
import type { LastVerification, VerifyReport } from "@hap/protocol";
import { toIso } from "../record.ts";
import type { Store, StoreReader } from "../store/store.ts";

/** Keep what a verification found. Only a clean one of the whole log lifts a violation, not one of its chain alone. */
export function keepVerification(store: Store, report: VerifyReport, now: number): void {
  const problem = report.ok ? null : report.violation.message;
  const { ok, events, head, chainOnly } = report;
  const last: LastVerification = { at: toIso(now), ok, events, head, chain_only: chainOnly, problem };
  const changes = readViolation(store) !== problem && !(ok && chainOnly);
  try {
    store.write((tx) => {
      tx.setConfig("last_verification", JSON.stringify(last));
      if (changes) tx.setConfig("violation", problem);
    });
  } catch (error) {
    // A log on a full disk can be verified all the same; only the note of it is missing.
    if (changes) throw error;
  }
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
