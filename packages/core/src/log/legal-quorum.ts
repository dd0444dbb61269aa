// Votes of a quorum in replay (D45): each from a seat that its maker held then, and no end without the votes that it needs.
import { canBeReached, type EventOf, isRequester, type Standing, seatFor } from "@hap/protocol";
import { evidenceOf } from "../tickets/decide/resolve.ts";
import type { TicketRecord } from "../tickets/record.ts";
import { must } from "./illegal.ts";

/** How well an end is proven. */
export type Evidence = Pick<EventOf<"intent.sign">, "assurance" | "confirmed">;

/** A quorum that can be meant, in a ticket of the version that has one. */
export function assertLegalQuorum({ ticket, v }: EventOf<"ticket.create">): void {
  const { quorum } = ticket;
  must(v >= 2 === (quorum !== undefined), "its version and its quorum do not belong together");
  if (quorum === undefined) return;
  must(ticket.ask_type === "approval", "a question has a quorum");
  must(new Set(quorum.of).size === quorum.of.length, "its quorum names somebody twice");
  must(quorum.order === "parallel" || quorum.need === quorum.of.length, "its quorum has another number of seats than of votes");
}

/** A vote comes from a seat, if the ticket has any, and its maker was in it. */
export function assertSeat(record: TicketRecord, event: EventOf<"intent.sign">, standing: Standing): void {
  const { intent, authority, seat, on_behalf_of } = event;
  const { quorum } = record.ticket;
  must((quorum !== undefined) === (authority === "member"), "its right is not one that the ticket gives");
  must(event.v >= 2 === (quorum !== undefined), "its version is not that of such a vote");
  if (quorum === undefined) return;
  const voter = { by: intent.from, on_behalf_of: on_behalf_of ?? null, decision: intent.decision };
  must(on_behalf_of === null, "it was made for somebody else");
  must(seat === seatFor(quorum, record.votes ?? [], voter, standing), "its maker had no such seat then");
  must(!(intent.decision === "approve" && quorum.not_requester && isRequester(quorum, voter)), "whoever asked approved");
  must(intent.edits === null, "it edits what others approve");
}

/** What proves an end that follows a vote: the vote, or the weakest that the quorum counts. */
export function evidenceFor(record: TicketRecord, vote: EventOf<"intent.sign">, standing: Standing): Evidence {
  const { quorum } = record.ticket;
  if (quorum === undefined) return vote;
  const evidence = evidenceOf(quorum, record.votes ?? [], vote.intent.decision, standing);
  must(evidence !== null, "votes were missing");
  return evidence;
}

/** Too few were left, and an owner got it. */
export function assertShort(record: TicketRecord, event: EventOf<"ticket.escalate">, standing: Standing): void {
  const { quorum } = record.ticket;
  must(quorum !== undefined && !canBeReached(quorum, standing), "enough people were left to approve it");
  must(event.depth === record.depth, "it counts as an escalation of its lease");
  must(standing.peopleIn("role:owner").has(event.to), "it went to somebody who is not an owner");
}
