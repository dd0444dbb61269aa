// A copy of a store is worth something only if it verifies.
import { HapError } from "@hap/protocol";
import type { SignatureVerifier } from "../credentials/verify-signature.ts";
import type { Store } from "../store/store.ts";
import { verifyLog } from "./verify.ts";

/** Verify a copy; throws what is wrong with it, after `problem`. */
export function assertVerifies(
  copy: Store,
  verifySignature: SignatureVerifier,
  problem: string,
): { events: number; head: string } {
  const report = verifyLog(copy, { chainOnly: false, verifySignature });
  if (report.ok) return report;
  throw new HapError("integrity_violation", `${problem}: ${report.violation.message} Run \`hap verify\` on the store itself.`, {
    seq: report.violation.seq,
  });
}
