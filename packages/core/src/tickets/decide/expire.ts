// expire: what time alone does (D9, D10, D16). A temporary ack lapses, a lease escalates, and past that its action happens.
import {
  dueStep,
  isLate,
  isOpen,
  type NewEvent,
  TIMER_ACTOR,
  type TicketState,
  type TimeoutAction,
  type TrustClass,
  timeoutEnd,
} from "@hap/protocol";
import { type TicketRecord, toIso } from "../record.ts";

/** The next step that is due, as events; empty when nothing is. Call again after folding them: steps can follow each other. */
export function decideExpire(record: TicketRecord, now: number, trust: TrustClass, clockJumped: boolean): NewEvent[] {
  if (!isOpen(record.state)) return [];
  const { id, lease } = record.ticket;
  const step = dueStep(record.state, record.clock, now);
  if (step === "nothing") return [];
  if (step === "lapse") {
    return [
      {
        type: "ticket.state_change",
        ticket_id: id,
        from_state: "ACKED",
        to_state: "DELIVERED",
        delivered_to: record.to,
        metadata: { reason: "ack_lapsed", at: toIso(record.clock.lapseAt as number) },
      },
    ];
  }
  const next = nextEscalation(record);
  if (next !== null)
    return [
      { type: "ticket.escalate", ticket_id: id, from_state: record.state, from: record.to, to: next, depth: record.depth + 1 },
    ];
  const deadline = record.clock.deadline as number;
  const late = clockJumped || isLate(deadline, now);
  const end = timeoutEnd(record.state, lease.on_timeout, late);
  return [
    {
      type: "ticket.timeout",
      ticket_id: id,
      action_taken: actionTaken(record, end.state),
      reason: timeoutReason(record),
      deadline_at: toIso(deadline),
      late,
    },
    {
      type: "ticket.resolve",
      ticket_id: id,
      from_state: record.state,
      to_state: end.state,
      because: "",
      // Keys in the order that the log has them, as in a creation.
      resolution: {
        actor: TIMER_ACTOR,
        answer: null,
        assurance: "none",
        at: toIso(now),
        comment: null,
        confirmed: false,
        edits: null,
        outcome: end.outcome,
        trust,
      },
    },
  ];
}

/** The action that a timeout took: an approval that time may not give is a rejection. */
export function actionTaken(record: TicketRecord, end: TicketState): TimeoutAction {
  const { on_timeout } = record.ticket.lease;
  return on_timeout === "auto_approve" && end !== "APPROVED" ? "auto_reject" : on_timeout;
}

/** The draft's words for a timeout (3.5). */
export function timeoutReason(record: TicketRecord): string {
  return `Lease expired after ${record.ticket.lease.ttl_seconds} seconds`;
}

/** The person that the ticket goes to next, or null when the chain or its depth is used up. */
export function nextEscalation(record: TicketRecord): string | null {
  const { escalate } = record.ticket.lease;
  if (escalate === null || record.depth >= escalate.max_depth) return null;
  return escalate.to[record.depth] ?? null;
}
