// A quorum as every face shows it (D45): who said what, how many are missing, and who can still say something.
import {
  type ContentRef,
  canBeReached,
  counts,
  ERASED,
  isOpen,
  isUnproven,
  mayVoteNext,
  type QuorumView,
  type Standing,
  type StoredQuorum,
  tally,
} from "@hap/protocol";
import type { ContentReader } from "../log/contents.ts";
import { nameOf } from "../people/people.ts";
import type { StoreReader } from "../store/store.ts";
import type { StoredVote, TicketRecord } from "../tickets/record.ts";
import { namesOf } from "./cast-vote.ts";
import { standingOf } from "./standing.ts";

/** At most so many people are named. */
const NAMED = 200;

/** The view of a ticket's quorum. Once it has ended, the votes stand as they were counted. */
export function viewQuorum(rows: StoreReader, record: TicketRecord, contents: ContentReader): QuorumView {
  const quorum = record.ticket.quorum as StoredQuorum;
  const votes = record.votes ?? [];
  const { requester, of, ...rule } = quorum;
  const shared = { ...rule, of: namesOf(rows, of), requester: requester === null ? null : nameOf(rows, requester) };
  if (!isOpen(record.state)) {
    const said = votes.filter(({ decision }) => decision === "approve").length;
    const listed = votes.map((vote) => viewVote(rows, vote, contents, true));
    return { ...shared, votes: listed, yes: said, no: votes.length - said, missing: 0, waiting_for: [], short: null };
  }
  const standing = standingOf(rows);
  const { yes, no, missing } = tally(quorum, votes, standing);
  return {
    ...shared,
    votes: votes.map((vote) => viewVote(rows, vote, contents, counts(quorum, vote, standing))),
    yes,
    no,
    missing,
    waiting_for: mayVoteNext(quorum, votes, standing)
      .slice(0, NAMED)
      .map((handle) => nameOf(rows, handle)),
    short: shortWords(quorum, shared.of, standing),
  };
}

function viewVote(rows: StoreReader, vote: StoredVote, contents: ContentReader, counting: boolean): QuorumView["votes"][number] {
  const { by, on_behalf_of, decision, seat, at, assurance, confirmed, comment } = vote;
  return {
    by: nameOf(rows, by),
    on_behalf_of: on_behalf_of === null ? null : nameOf(rows, on_behalf_of),
    decision,
    seat: namesOf(rows, [seat])[0] as string,
    at,
    assurance,
    confirmed,
    unproven: isUnproven({ decision, assurance, relayed: false }),
    comment: comment === null ? null : ((contents.resolve(comment as ContentRef) as string | undefined) ?? ERASED),
    counts: counting,
  };
}

/** Why it cannot be approved as things are. */
function shortWords(quorum: StoredQuorum, of: readonly string[], standing: Standing): string | null {
  if (canBeReached(quorum, standing)) return null;
  const empty = quorum.of.findIndex((entry) => standing.peopleIn(entry).size === 0);
  const what = empty === -1 ? `too few people are left in ${of.join(", ")}` : `nobody is left in ${of[empty]}`;
  return `It needs ${quorum.need} approvals, and ${what}. An owner can change the groups in the policy, or reject it.`;
}
