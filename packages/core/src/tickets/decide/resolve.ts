// resolve: a person's vote, then the resolution that follows from it: of one vote, or of the last that a quorum needs (D6, D45).
import {
  type AssuranceLevel,
  type Authority,
  atLeast,
  counts,
  type Decision,
  HapError,
  isUnproven,
  type NewEvent,
  type NewEventOf,
  type Standing,
  type StoredIntent,
  type StoredQuorum,
  type TrustClass,
  tally,
  withVote,
} from "@hap/protocol";
import type { Demand } from "../../credentials/demand.ts";
import { voteOf } from "../fold.ts";
import { DECISION_END, guardDeadline, guardEvidence, guardFit, guardLevel, guardOpen } from "../guards.ts";
import { type StoredVote, type TicketRecord, toIso } from "../record.ts";
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
  /** The seat that it is cast from, on a ticket with a quorum (D45). */
  ballot: Ballot | null;
};

/** A vote's place in a quorum, and what the rows know of the others. */
export type Ballot = { seat: string; on_behalf_of: string | null; standing: Standing };

/** Decide a vote; without a resolution where others are needed. The engine fills in `because`, the id that the vote gets. */
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
  guardSeat(record, vote);
  if (intent.edits !== null && !(intent.decision === "approve" && mayEdit(record))) {
    throw new HapError("edits_refused", `${record.ticket.id} does not allow edits: approve it as it is, or request changes.`, {
      ticket_id: record.ticket.id,
      field: "edits",
    });
  }
  const sign: NewEventOf<"intent.sign"> = {
    type: "intent.sign",
    intent,
    assurance: vote.assurance,
    confirmed: vote.confirmed,
    trust: vote.trust,
    authority: vote.authority,
    unproven: isUnproven({ decision: intent.decision, assurance: vote.assurance, relayed: vote.authority === "relay" }),
    ...(vote.ballot === null ? {} : { seat: vote.ballot.seat, on_behalf_of: vote.ballot.on_behalf_of }),
  };
  const evidence = quorumEvidence(record, vote, voteOf({ ...sign, ts: toIso(now) }));
  if (evidence === null) return [...deliverFirst(record, now), sign];
  const end = DECISION_END[intent.decision];
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
        assurance: evidence.assurance,
        at: toIso(now),
        comment: intent.comment,
        confirmed: evidence.confirmed,
        edits: intent.edits,
        outcome: end.outcome,
        trust: vote.trust,
      },
    },
  ];
}

/** A quorum takes votes from seats alone, and no other ticket does. */
function guardSeat(record: TicketRecord, { ballot, authority }: Vote): void {
  if ((record.ticket.quorum === undefined) === (ballot === null) && (ballot !== null) === (authority === "member")) return;
  throw new HapError("not_addressee", `${record.ticket.id} needs several people, and this vote names no seat.`, {
    ticket_id: record.ticket.id,
  });
}

/** Several people approve the same bytes, so nobody changes them on the way. */
function mayEdit({ ticket }: TicketRecord): boolean {
  return ticket.allow_edits && ticket.quorum === undefined;
}

/** How well the end is proven: by this vote, or by the weakest that a quorum counts. Null while votes are missing. */
function quorumEvidence(record: TicketRecord, { ballot, assurance, confirmed }: Vote, cast: StoredVote): Evidence | null {
  const { quorum } = record.ticket;
  if (quorum === undefined || ballot === null) return { assurance, confirmed };
  return evidenceOf(quorum, withVote(record.votes ?? [], cast), cast.decision, ballot.standing);
}

type Evidence = { assurance: AssuranceLevel; confirmed: boolean };

/** What a quorum comes to by its last vote, or null. Replay asks the same. */
export function evidenceOf(
  quorum: StoredQuorum,
  votes: readonly StoredVote[],
  decision: Decision,
  standing: Standing,
): Evidence | null {
  // The last vote ends it only in its own sense: a no never completes an approval.
  if (tally(quorum, votes, standing).end !== decision) return null;
  const last = votes.at(-1) as StoredVote;
  if (decision !== "approve") return { assurance: last.assurance, confirmed: last.confirmed };
  const yes = votes.filter((vote) => vote.decision === "approve" && counts(quorum, vote, standing));
  const weakest = (a: AssuranceLevel, b: AssuranceLevel) => (atLeast(a, b) ? b : a);
  return {
    assurance: yes.map((vote) => vote.assurance).reduce(weakest),
    confirmed: yes.every((vote) => vote.confirmed),
  };
}
