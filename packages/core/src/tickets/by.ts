// Who acts on a ticket, and whether they may.
import { HapError, ID_PATTERNS, LIMITS, quote } from "@hap/protocol";
import { authorise } from "../decisions/authority.ts";
import { confirmedPolicies } from "../policies/confirmed-policy.ts";
import type { Facts } from "../transaction/context.ts";
import type { Session } from "../transaction/session.ts";
import type { TicketRecord } from "./record.ts";

/** Who acts. Left out, it is the stated person, or the ticket's addressee. */
export type By = { by?: string | undefined };

/** The handle of the person who acts on a ticket; null stands for its addressee. */
export function actorOf(session: Session, facts: Facts, record: TicketRecord, person: string | null): string {
  if (person === null) return record.to;
  return authorise(session, record, person, confirmedPolicies(session.tx, facts)).handle;
}

/** Refuse an agent that did not open the ticket. */
export function guardOwnAgent({ ticket }: TicketRecord, agent: string): void {
  if (agent === ticket.from) return;
  throw new HapError("not_addressee", `${ticket.id} was opened by ${ticket.from}, not by ${agent}.`, {
    ticket_id: ticket.id,
    by: agent,
  });
}

/** Seconds that a person may add to a lease. */
export function checkSeconds(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= LIMITS.addedSecondsMax) return seconds;
  throw new HapError("invalid_input", `seconds is ${seconds}; it must be a whole number from 1 to ${LIMITS.addedSecondsMax}.`, {
    field: "seconds",
  });
}

/** An agent's hash goes into the log as it is, so its form is checked. */
export function checkHash(hash: string): void {
  if (ID_PATTERNS.hash.test(hash)) return;
  throw new HapError("invalid_input", `call_hash is ${quote(hash)}; it must be sha256: and 64 lower-case hexadecimal digits.`, {
    field: "call_hash",
  });
}
