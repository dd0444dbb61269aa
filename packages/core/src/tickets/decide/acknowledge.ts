// ack: the person has the ticket in view, and its lease pauses; with a lapse only for a while (D8).
import { type ContentRef, HapError, type NewEvent } from "@hap/protocol";
import { guardDeadline, guardOpen } from "../guards.ts";
import type { TicketRecord } from "../record.ts";
import { deliverFirst } from "./deliver.ts";

/** Decide an ack. Only an ack that would lapse can be given again. */
export function decideAcknowledge(
  record: TicketRecord,
  ack: { from: string; note: ContentRef | null; ackTtlSeconds: number | null },
  now: number,
): NewEvent[] {
  guardOpen(record, "ACKED");
  guardDeadline(record, now);
  if (record.state === "ACKED" && record.clock.lapseAt === null) {
    throw new HapError(
      "wrong_state",
      `${record.ticket.id} is ACKED: it cannot become ACKED again, its lease is paused already. Decide it, or leave it.`,
      {
        ticket_id: record.ticket.id,
        from_state: "ACKED",
        to_state: "ACKED",
      },
    );
  }
  return [
    ...deliverFirst(record, now),
    { type: "ticket.ack", ticket_id: record.ticket.id, from: ack.from, note: ack.note, ack_ttl_seconds: ack.ackTtlSeconds },
  ];
}
