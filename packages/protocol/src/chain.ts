// The hash chain of one space (D18, D20), checked as anyone can check an export: sequence, links, hashes, and that what
// stands beside a payload is what the payload says.
import { canonicalJson, type Json } from "./canonical-json.ts";
import { GENESIS_HASH } from "./constants.ts";
import { HapError } from "./errors.ts";
import { eventHash, type Sha256 } from "./hash.ts";

/** One event of an export; the cursor may be there and is not looked at. */
export type ChainEvent = {
  seq: number;
  id: string;
  type: string;
  ts: string;
  payload: { readonly [key: string]: Json | undefined };
  prev_hash: string;
  hash: string;
};

/** Verify a whole log from its first event on; returns how many events it has and its head. */
export function verifyChain(events: Iterable<ChainEvent>, sha256: Sha256): { events: number; head: string } {
  let seq = 0;
  let head = GENESIS_HASH;
  for (const event of events) {
    seq++;
    const problem = findProblem(event, seq, head, sha256);
    if (problem !== null) {
      throw new HapError("integrity_violation", `Integrity violation at event ${seq} (${event.id}): ${problem}.`, {
        seq,
        event_id: event.id,
      });
    }
    head = event.hash;
  }
  return { events: seq, head };
}

function findProblem(event: ChainEvent, seq: number, prev: string, sha256: Sha256): string | null {
  if (event.seq !== seq) return `it has seq ${event.seq}, expected ${seq}`;
  if (event.prev_hash !== prev) return "prev_hash is not the hash of the event before it";
  if (event.hash !== eventHash(prev, canonicalJson(event.payload), sha256)) return "hash mismatch";
  for (const field of ["seq", "id", "type", "ts"] as const) {
    if (event.payload[field] !== event[field]) return `its ${field} is not that of its payload`;
  }
  return seq === 1 && event.type !== "log.genesis" ? "the log does not begin with log.genesis" : null;
}
