// Who may vote on a ticket with a quorum, and from which seat (D45). Each refusal says who can.
import { type Decision, HapError, isRequester, type Standing, type StoredQuorum, seatFor } from "@hap/protocol";
import { nameOf } from "../people/people.ts";
import type { StoreReader } from "../store/store.ts";
import type { TicketRecord } from "../tickets/record.ts";

/** A person about to vote, by handle. */
export type Voter = { by: string; on_behalf_of: string | null; decision: Decision };

/** The seat that a person votes from, or the reason why they do not. */
export function takeSeat(rows: StoreReader, record: TicketRecord, voter: Voter, standing: Standing): string {
  const { ticket } = record;
  const quorum = ticket.quorum as StoredQuorum;
  const seat = seatFor(quorum, record.votes ?? [], voter, standing);
  const fields = { ticket_id: ticket.id, by: nameOf(rows, voter.by), of: namesOf(rows, quorum.of) };
  if (seat === null)
    throw new HapError(
      "not_addressee",
      `${ticket.id} needs ${quorum.need} of ${fields.of.join(", ")}; ${fields.by} is none of them.`,
      fields,
    );
  if (voter.decision === "approve" && quorum.not_requester && isRequester(quorum, voter))
    throw new HapError(
      "requester_cannot_approve",
      `${ticket.id} was asked for in a session of ${nameOf(rows, quorum.requester as string)}, and the policy wants others to approve it. They can still reject it.`,
      fields,
    );
  if (seat === "later")
    throw new HapError(
      "not_your_turn",
      `${ticket.id} is approved in the order ${fields.of.join(", then ")}; somebody before you has not approved yet. You can reject it at any time.`,
      fields,
    );
  return seat;
}

/** Entries of a quorum with names for handles. */
export function namesOf(rows: Pick<StoreReader, "nameOf">, entries: readonly string[]): string[] {
  return entries.map((entry) => (entry.startsWith("human:") ? (rows.nameOf(entry) ?? entry) : entry));
}
