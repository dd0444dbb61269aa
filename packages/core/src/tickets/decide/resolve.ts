// resolve: a person's vote, then the resolution that follows from it, today one of one (D6).
import {
  type AssuranceLevel,
  type Authority,
  HapError,
  isUnproven,
  type NewEvent,
  type NewEventOf,
  type StoredIntent,
  type TrustClass,
} from "@hap/protocol";
import type { Demand } from "../../credentials/demand.ts";
import { DECISION_END, guardDeadline, guardEvidence, guardFit, guardLevel, guardOpen } from "../guards.ts";
import { type TicketRecord, toIso } from "../record.ts";
import { deliverFirst } from "./deliver.ts";

/** A verified vote: what was said, by what right and with what evidence. */
export type Vote = {
  intent: StoredIntent;
  assurance: AssuranceLevel;
  confirmed: boolean;
  trust: TrustClass;
  authority: Authority;
  /** What a yes must be signed with at least (D3), or null. */
  demand: Demand;
};

/** Decide a vote. The engine fills in `because`, the id that the vote gets. */
export function decideResolve(record: TicketRecord, vote: Vote, now: number): NewEvent[] {
  const { intent } = vote;
  guardOpen(record, DECISION_END[intent.decision].state);
  guardDeadline(record, now);
  guardFit(record, intent.decision);
  guardEvidence(record.ticket.id, intent, vote.assurance);
  guardLevel(
    record,
    { decision: intent.decision, assurance: vote.assurance, confirmed: vote.confirmed, authority: vote.authority },
    vote.demand,
  );
  if (intent.edits !== null && !(intent.decision === "approve" && record.ticket.allow_edits)) {
    throw new HapError("edits_refused", `${record.ticket.id} does not allow edits: approve it as it is, or request changes.`, {
      ticket_id: record.ticket.id,
      field: "edits",
    });
  }
  const end = DECISION_END[intent.decision];
  const sign: NewEventOf<"intent.sign"> = {
    type: "intent.sign",
    intent,
    assurance: vote.assurance,
    confirmed: vote.confirmed,
    trust: vote.trust,
    authority: vote.authority,
    unproven: isUnproven({ decision: intent.decision, assurance: vote.assurance, relayed: vote.authority === "relay" }),
  };
  return [
    ...deliverFirst(record, now),
    sign,
    {
      type: "ticket.resolve",
      ticket_id: record.ticket.id,
      from_state: record.state === "PENDING" ? "DELIVERED" : record.state,
      to_state: end.state,
      because: "",
      // Keys in the order that the log has them, as in a creation.
      resolution: {
        actor: { id: intent.from, kind: vote.authority === "relay" ? "agent" : "human" },
        answer: intent.answer,
        assurance: vote.assurance,
        at: toIso(now),
        comment: intent.comment,
        confirmed: vote.confirmed,
        edits: intent.edits,
        outcome: end.outcome,
        trust: vote.trust,
      },
    },
  ];
}
