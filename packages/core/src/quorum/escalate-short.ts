// A group that is emptied while a ticket waits (D45): the ticket cannot be approved any more, so it goes to an owner, who can
// change the group or end the ticket. It never opens with fewer votes.
import { canBeReached } from "@hap/protocol";
import type { TicketRecord } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";
import { ownerOf } from "./quorum-of.ts";
import { standingOf } from "./standing.ts";

/** How many tickets are looked at for one change of groups; those beyond it say so when they are shown. */
const MOST = 1000;

/** Hand every open ticket that too few people can approve to an owner. */
export function escalateShort(session: Session): void {
  const waiting = session.tx.listQuorums(undefined, MOST);
  if (waiting.length === 0) return;
  const standing = standingOf(session.tx);
  const owner = ownerOf(session);
  if (owner === null) return;
  for (const found of waiting) {
    const record = session.applyDue(found);
    const { quorum } = record.ticket;
    if (quorum === undefined || record.to === owner || !mayEscalate(record) || canBeReached(quorum, standing)) continue;
    session.commit(record, [
      {
        type: "ticket.escalate",
        ticket_id: record.ticket.id,
        from_state: record.state as "PENDING" | "DELIVERED",
        from: record.to,
        to: owner,
        depth: record.depth,
        why: "quorum_short",
      },
    ]);
  }
}

/** Somebody who looks at it right now keeps it until their ack lapses. */
function mayEscalate({ state }: TicketRecord): boolean {
  return state === "PENDING" || state === "DELIVERED";
}
