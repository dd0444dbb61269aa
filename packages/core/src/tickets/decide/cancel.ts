// cancel: the asker withdraws, or the person or a rule ends it; nothing needs step-up to be stopped (D3).
import type { ContentRef, NewEvent, NewEventOf, TrustClass } from "@hap/protocol";
import { guardOpen } from "../guards.ts";
import type { TicketRecord } from "../record.ts";

/** Decide a cancellation. */
export function decideCancel(
  record: TicketRecord,
  cancel: { actor: NewEventOf<"ticket.cancel">["actor"]; from: string; reason: ContentRef | null; trust: TrustClass },
): NewEvent[] {
  guardOpen(record, "CANCELED");
  return [
    {
      type: "ticket.cancel",
      ticket_id: record.ticket.id,
      from_state: record.state,
      from: cancel.from,
      actor: cancel.actor,
      trust: cancel.trust,
      reason: cancel.reason,
    },
  ];
}
