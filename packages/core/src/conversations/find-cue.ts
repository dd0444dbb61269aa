// The question that the same agent asked before (D26): still open, or ended by somebody whose words were never heard, and at
// most 24 hours old. Whatever was heard is over; asking again then is a new question.
import { canonicalJson, isOpen, type Json, REATTACH_MS, type TicketRequest } from "@hap/protocol";
import { fromIso, type TicketRecord } from "../tickets/record.ts";
import { presentable } from "../tickets/view.ts";
import type { Session } from "../transaction/session.ts";

/** How many of an agent's newest questions are looked at. */
const LOOK_BACK = 100;

/** The ticket to attach to, with what is due applied, or null. */
export function findCue(session: Session, request: TicketRequest): TicketRecord | null {
  for (const found of session.tx.conversationTickets(request.from, Number.MAX_SAFE_INTEGER, LOOK_BACK)) {
    if (session.now - fromIso(found.ticket.created_at) > REATTACH_MS) return null;
    if (found.heardAt !== null || !isSame(session, found, request)) continue;
    const record = session.applyDue(found);
    if (isOpen(record.state) || hasWords(record)) return record;
  }
  return null;
}

/** Ended by somebody: a timer has no words that could have been missed. */
export function hasWords(record: TicketRecord): boolean {
  const { actor, outcome } = record.resolution ?? {};
  return actor?.kind === "human" || (actor?.kind === "agent" && outcome === "answered");
}

function isSame(session: Session, record: TicketRecord, request: TicketRequest): boolean {
  if (record.ticket.intent.kind !== request.kind) return false;
  const { intent, ask, project } = presentable(session.tx, record);
  const before = [intent.summary, intent.details, ask, project] as Json;
  return canonicalJson(before) === canonicalJson([request.summary, request.details, request.ask, request.project] as Json);
}
