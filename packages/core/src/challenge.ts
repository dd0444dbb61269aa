// A challenge is what a person is about to sign (D23): the runtime fixes nonce, times and every hash, and stores it for one use.
import {
  type ContentMedia,
  HapError,
  INTENT_TTL_MS,
  type SignedIntent,
  type Statement,
  type StoredIntent,
  statementOf,
} from "@hap/protocol";
import type { NewContent } from "./contents.ts";
import { decideAcknowledge } from "./decide/acknowledge.ts";
import type { TicketRecord } from "./record.ts";
import type { Session } from "./session.ts";

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
  const lasting = record.state === "ACKED" && record.clock.lapseAt === null;
  const acked = lasting
    ? record
    : session.commit(record, decideAcknowledge(record, { from: intent.from, note: null, ackTtlSeconds: seconds }, session.now));
  const stored: StoredChallenge = {
    intent,
    contents: contents.map(({ ref, salt, body }) => ({ ref, salt: Buffer.from(salt).toString("base64"), body })),
  };
  session.tx.putChallenge(intent.nonce, record.ticket.id, JSON.stringify(stored), session.now + seconds * 1000);
  return { record: acked, statement: statementOf(intent, space) };
}

/** The challenge that a signed intent answers, taken out of the store; what it says must be what was issued. */
export function takeChallenge(session: Session, signed: SignedIntent): { intent: StoredIntent; contents: NewContent[] } | null {
  const found = session.tx.takeChallenge(signed.nonce);
  if (found === undefined) return null;
  const { intent, contents } = JSON.parse(found.intent) as StoredChallenge;
  const same =
    intent.ticket_id === signed.ticket_id && intent.decision === signed.decision && intent.expires_at === signed.expires_at;
  if (!same) {
    throw new HapError(
      "statement_mismatch",
      "Statement mismatch: ticket, decision or expiry differ from what HAP gave out to be signed. Ask for a new challenge.",
      { field: "nonce" },
    );
  }
  return {
    intent: { ...intent, artifact_hash: signed.artifact_hash, signature: signed.signature },
    contents: contents.map((content) => ({
      ref: content.ref as `${ContentMedia}:sha256:${string}`,
      salt: Buffer.from(content.salt, "base64"),
      body: content.body,
    })),
  };
}
