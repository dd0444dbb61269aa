// `hap verify` (D21): sequence and hashes of the whole log; then every event's legality, every digest, and that the stored
// tickets equal the replay. Streams the log.
import { eventHash, GENESIS_HASH, isHapError, type VerifyReport } from "@hap/protocol";
import type { SignatureVerifier } from "../credentials/verify-signature.ts";
import type { EventRow, Head, StoreReader } from "../store/store.ts";
import { sha256 } from "../transaction/facts.ts";
import { Illegal, Mismatch } from "./illegal.ts";
import { readLastVerification } from "./quarantine.ts";
import { Replay } from "./replay.ts";
import { rowEventId } from "./row-event-id.ts";

/** How a log is verified. */
export type VerifyOptions = { chainOnly: boolean; verifySignature: SignatureVerifier };

/** How many events are verified between two places where somebody else may go on. */
const STEP = 32;

/** Verify a log, its chain only or all of it. Call it where nobody's write comes between its reads. */
export function verifyLog(store: StoreReader, options: VerifyOptions): VerifyReport {
  const steps = verifySteps(store, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in small steps, for those who do something else meanwhile; the store must stay as it was when it began. */
export function* verifySteps(store: StoreReader, options: VerifyOptions): Generator<void, VerifyReport> {
  let replay: Replay | null = null;
  let prev = GENESIS_HASH;
  let seq = 0;
  try {
    if (!options.chainOnly) {
      const problem = store.schemaProblem();
      if (problem !== null) throw new Mismatch(1, problem);
      replay = new Replay(store, options.verifySignature);
    }
    for (const row of store.scanEvents(0)) {
      checkLink(row, seq + 1, prev);
      replay?.take(row);
      seq = row.seq;
      prev = row.hash;
      if (seq % STEP === 0) yield;
    }
    replay?.finish();
    checkLastHead(store, seq);
  } catch (error) {
    return violated(store, error, { seq, prev, chainOnly: options.chainOnly });
  } finally {
    replay?.close();
  }
  const importedAt = replay?.importedAt ?? null;
  const unproven = importedAt === null ? {} : { unproven_before: importedAt };
  return { ok: true, events: seq, head: prev, chainOnly: options.chainOnly, anchor: null, ...unproven };
}

/**
 * Check what came after a place that verified: that it is still there, and that everything since is linked to it. At most `limit`
 * events; the answer says how far it came.
 */
export function verifyTail(store: StoreReader, from: Head, limit: number): VerifyReport {
  let { seq, hash: prev } = from;
  try {
    const problem = store.schemaProblem();
    if (problem !== null) throw new Mismatch(1, problem);
    if (seq > 0 && store.hashAt(seq) !== prev)
      throw new Mismatch(
        Math.max(1, Math.min(seq, store.head().seq)),
        `event ${seq}, which verified before, is not there any more`,
      );
    for (const row of store.eventsAfter(seq, limit)) {
      checkLink(row, seq + 1, prev);
      seq = row.seq;
      prev = row.hash;
    }
  } catch (error) {
    return violated(store, error, { seq, prev, chainOnly: true });
  }
  return { ok: true, events: seq, head: prev, chainOnly: true, anchor: null };
}

/** The report of a failure; one that says nothing about the log is thrown on. */
function violated(
  store: StoreReader,
  error: unknown,
  { seq, prev, chainOnly }: { seq: number; prev: string; chainOnly: boolean },
): VerifyReport {
  const words = wordsOf(error);
  if (words === null) throw error;
  const at = error instanceof Mismatch ? error.seq : seq + 1;
  const id = readEventId(store, at);
  const message = `Integrity violation at event ${at}${id === null ? "" : ` (${id})`}: ${words}.`;
  return { ok: false, events: seq, head: prev, chainOnly, anchor: null, violation: { seq: at, event_id: id, message } };
}

/** What verified before must still be there: a log that was cut off, or made anew, is shorter or has another hash at that place. */
function checkLastHead(store: StoreReader, events: number): void {
  const last = readLastVerification(store);
  if (last === null || !last.ok || last.events === 0) return;
  if (last.events > events)
    throw new Mismatch(
      Math.max(1, events),
      `the log had ${last.events} events when it was verified at ${last.at}, and has ${events} now`,
    );
  if (store.hashAt(last.events) !== last.head)
    throw new Mismatch(last.events, `it is not the event that stood here when the log was verified at ${last.at}`);
}

/** The id of an event, or null when it is missing or lies on a damaged page. */
function readEventId(store: StoreReader, seq: number): string | null {
  try {
    return rowEventId(store.eventAt(seq));
  } catch (error) {
    if (isHapError(error) && error.code === "store_corrupt") return null;
    throw error;
  }
}

/** What a failure says about the log; null when it says something about this process, its disk or its version. */
function wordsOf(error: unknown): string | null {
  if (error instanceof Illegal) return error.message;
  if (isHapError(error) && error.code === "store_corrupt") return `the database is damaged: ${error.message.replace(/\.$/, "")}`;
  if (isHapError(error)) return error.kind === "busy" || error.kind === "integrity" ? null : error.message.replace(/\.$/, "");
  const malformed = error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
  return malformed ? `its payload is not what its type says (${error.message})` : null;
}

function checkLink(row: EventRow, seq: number, prev: string): void {
  if (row.seq !== seq) throw new Illegal(`event ${seq} is missing`);
  if (row.prev_hash !== prev) throw new Illegal("prev_hash is not the hash of the event before it");
  if (row.hash !== eventHash(prev, row.payload, sha256)) throw new Illegal("hash mismatch");
}
