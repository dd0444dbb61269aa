// deliver: only a person's face does it, and only for tickets that it showed to their addressee (D8).
import type { NewEvent } from "@hap/protocol";
import { guardOpen } from "../guards.ts";
import { type TicketRecord, toIso } from "../record.ts";

/** Decide a delivery; a ticket that was delivered already stays as it is. */
export function decideDeliver(record: TicketRecord, now: number): NewEvent[] {
  guardOpen(record, "DELIVERED");
  return deliverFirst(record, now);
}

/** The delivery that an act of the addressee implies. */
export function deliverFirst(record: TicketRecord, now: number): NewEvent[] {
  if (record.state !== "PENDING") return [];
  return [
    {
      type: "ticket.state_change",
      ticket_id: record.ticket.id,
      from_state: "PENDING",
      to_state: "DELIVERED",
      delivered_to: record.to,
      metadata: { reason: "delivered", at: toIso(now) },
    },
  ];
}
