// Refused decisions are logged (6.2), but only of people who are known here, and not without limit (D13).
import { type Decision, ERRORS, type HapError, ID_PATTERNS, type NewEventOf } from "@hap/protocol";
import type { TicketRecord } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";

/** How many refusals of one person are written in one minute. */
const PER_MINUTE = 20;

/** What the log needs of the engine. */
type Runner = { recordInvalid: (work: (session: Session) => void) => void };

/** A refused intent: its ticket, who sent it (null: the addressee, undefined: nobody known), what could be read of it, and why. */
export type RefusedIntent = {
  id: string;
  by: string | null | undefined;
  relayedBy?: string | undefined;
  decision: Decision | null;
  nonce: string | null;
  error: HapError;
};

export class InvalidIntentLog {
  readonly #recent = new Map<string, { minute: number; count: number }>();

  /** Log a refusal, if its maker is known and not too loud. */
  record(engine: Runner, refused: RefusedIntent): void {
    engine.recordInvalid((session) => {
      const { error, id, relayedBy, decision, nonce } = refused;
      const record = session.tx.ticketById(id);
      const from = relayedBy === undefined ? this.#person(session, refused, record) : ownAsker(record, relayedBy);
      if (from === undefined || !this.#allow(from, session.now)) return;
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
    });
  }

  #person(session: Session, { by }: RefusedIntent, record: TicketRecord | undefined): string | undefined {
    if (by === undefined) return undefined;
    if (by === null) return record?.to;
    if (!ID_PATTERNS.human.test(by)) return undefined;
    return session.tx.handleOf(by) ?? (session.tx.nameOf(by) === undefined ? undefined : by);
  }

  #allow(from: string, now: number): boolean {
    const minute = Math.floor(now / 60_000);
    const entry = this.#recent.get(from);
    if (entry === undefined || entry.minute !== minute) {
      this.#recent.set(from, { minute, count: 1 });
      return true;
    }
    entry.count++;
    return entry.count <= PER_MINUTE;
  }
}

/** An agent is known by its own ticket; on another's it leaves no trace. */
function ownAsker(record: TicketRecord | undefined, agent: string): string | undefined {
  return record?.ticket.from === agent ? agent : undefined;
}
