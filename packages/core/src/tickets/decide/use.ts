// Using a decision (D17): consumed once before anything starts, and marked as heard when its words have arrived.
import { type ContentRef, HapError, isOpen, type NewEvent } from "@hap/protocol";
import { guardConsumable } from "../guards.ts";
import type { TicketRecord } from "../record.ts";

/** Use up a yes for one call. */
export function decideConsume(record: TicketRecord, by: string, callHash: string): NewEvent[] {
  guardConsumable(record);
  return [{ type: "ticket.consume", ticket_id: record.ticket.id, call_hash: callHash, by }];
}

/** The end of the ticket has reached its agent; said once. */
export function decideHeard(record: TicketRecord, by: string): NewEvent[] {
  if (isOpen(record.state))
    throw new HapError("wrong_state", `${record.ticket.id} is ${record.state}: there is nothing to hear yet.`, {
      ticket_id: record.ticket.id,
    });
  return record.heardAt === null ? [{ type: "ticket.heard", ticket_id: record.ticket.id, by }] : [];
}

/** A remark on the ticket's timeline; allowed in every state. */
export function decideNote(record: TicketRecord, from: string, note: ContentRef): NewEvent[] {
  return [{ type: "ticket.note", ticket_id: record.ticket.id, from, note }];
}
