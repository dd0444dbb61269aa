// Refused decisions are logged (6.2), but only of people who are known here, and not without limit (D13).
import { type Decision, ERRORS, type HapError, ID_PATTERNS, type NewEventOf } from "@hap/protocol";
import type { TicketRecord } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";

/** How many refusals of one person are written in one minute. */
const PER_MINUTE = 20;
const MINUTE_MS = 60_000;

/** A refused intent: its ticket, who sent it (null: the addressee, undefined: nobody known), what could be read of it, and why. */
export type RefusedIntent = {
  id: string;
  by: string | null | undefined;
  relayedBy?: string | undefined;
  decision: Decision | null;
  nonce: string | null;
  error: HapError;
};

/** Log a refusal, if its maker is known and has not been refused too often in this minute. */
export function recordRefusal(session: Session, refused: RefusedIntent): void {
  const { error, id, relayedBy, decision, nonce } = refused;
  const record = session.tx.ticketById(id);
  const from = relayedBy === undefined ? personOf(session, refused, record) : ownAsker(record, relayedBy);
  if (from === undefined || session.tx.countRefusal(from, Math.floor(session.now / MINUTE_MS)) > PER_MINUTE) return;
  const event: NewEventOf<"intent.invalid"> = {
    type: "intent.invalid",
    ticket_id: record === undefined ? null : id,
    from,
    decision,
    nonce,
    code: error.code,
    reason: ERRORS[error.code].title,
  };
  if (record === undefined) session.commitApart([event]);
  else session.commit(record, [event]);
}

function personOf(session: Session, { by }: RefusedIntent, record: TicketRecord | undefined): string | undefined {
  if (by === undefined) return undefined;
  if (by === null) return record?.to;
  if (!ID_PATTERNS.human.test(by)) return undefined;
  return session.tx.handleOf(by) ?? (session.tx.nameOf(by) === undefined ? undefined : by);
}

/** An agent is known by its own ticket; on another's it leaves no trace. */
function ownAsker(record: TicketRecord | undefined, agent: string): string | undefined {
  return record?.ticket.from === agent ? agent : undefined;
}
