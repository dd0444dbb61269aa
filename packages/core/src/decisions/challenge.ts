// A challenge is what a person is about to sign (D23): the runtime fixes nonce, times and every hash, and stores it for one use.
import {
  type ContentMedia,
  canonicalJson,
  HapError,
  INTENT_TTL_MS,
  type Json,
  type SignedIntent,
  type Statement,
  type StoredIntent,
  statementOf,
} from "@hap/protocol";
import type { NewContent } from "../log/contents.ts";
import { decideAcknowledge } from "../tickets/decide/acknowledge.ts";
import type { TicketRecord } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";

/** An expired challenge is kept this long, so that its signature is told that it came too late. */
const KEPT_MS = 3_600_000;

type StoredChallenge = { intent: StoredIntent; contents: { ref: string; salt: string; body: string }[] };

/** Keep an intent until it comes back signed, and ack the ticket for as long. */
export function storeChallenge(
  session: Session,
  record: TicketRecord,
  intent: StoredIntent,
  contents: readonly NewContent[],
  space: string,
): { record: TicketRecord; statement: Statement } {
  const seconds = (record.ticket.tier === "critical" ? INTENT_TTL_MS.critical : INTENT_TTL_MS.longest) / 1000;
  const until = session.now + seconds * 1000;
  const acked = pausedUntil(record, until)
    ? record
    : session.commit(record, decideAcknowledge(record, { from: intent.from, note: null, ackTtlSeconds: seconds }, session.now));
  const stored: StoredChallenge = {
    intent,
    contents: contents.map(({ ref, salt, body }) => ({ ref, salt: Buffer.from(salt).toString("base64"), body })),
  };
  session.tx.dropChallenges({ expiredBefore: session.now - KEPT_MS });
  session.tx.putChallenge(intent.nonce, record.ticket.id, JSON.stringify(stored), until);
  return { record: acked, statement: statementOf(intent, space) };
}

function pausedUntil(record: TicketRecord, until: number): boolean {
  return record.state === "ACKED" && (record.clock.lapseAt === null || record.clock.lapseAt >= until);
}

/** The challenge that a signed intent answers, taken out of the store; what it says must be what was issued, to whom. */
export function takeChallenge(
  session: Session,
  signed: SignedIntent,
  handle: string,
): { intent: StoredIntent; contents: NewContent[] } | null {
  const found = session.tx.takeChallenge(signed.nonce);
  if (found === undefined) return null;
  const { intent, contents } = JSON.parse(found.intent) as StoredChallenge;
  const { ticket_id, decision, expires_at, comment, answer, edits } = signed;
  if (intent.from !== handle) throw mismatch("it was given out to somebody else");
  if (intent.ticket_id !== ticket_id || intent.decision !== decision || intent.expires_at !== expires_at)
    throw mismatch("ticket, decision or expiry differ from what HAP gave out to be signed");
  const bodyOf = (ref: string | null) => contents.find((content) => content.ref === ref)?.body ?? "";
  const said: [string | null, string | undefined][] = [
    [intent.comment, comment],
    [intent.answer, answer === undefined ? undefined : canonicalJson(answer)],
    [intent.edits, edits === undefined ? undefined : canonicalJson(edits as Json)],
  ];
  if (said.some(([ref, body]) => body !== undefined && body !== bodyOf(ref)))
    throw mismatch("comment, answer or edits differ from what HAP gave out to be signed");
  return {
    intent: { ...intent, artifact_hash: signed.artifact_hash, signature: signed.signature },
    contents: contents.map((content) => ({
      ref: content.ref as `${ContentMedia}:sha256:${string}`,
      salt: Buffer.from(content.salt, "base64"),
      body: content.body,
    })),
  };
}

function mismatch(what: string): HapError {
  return new HapError("statement_mismatch", `Statement mismatch: ${what}. Ask for a new challenge.`, { field: "nonce" });
}
