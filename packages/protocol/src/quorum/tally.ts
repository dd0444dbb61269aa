// Counting votes (D45): pure, and the same for the engine, the replay of `hap verify` and the page.
import type { Decision } from "../constants.ts";
import type { StoredQuorum } from "./quorum.ts";

/** What counting needs to know of a vote. */
export type CountedVote = {
  by: string;
  on_behalf_of: string | null;
  decision: Decision;
  seat: string;
  /** The key that signed it, or null. */
  credential: string | null;
};

/** Who belongs where, and which keys are in use, at this moment. */
export type Standing = {
  /** The people in an entry of `of`: a group, a role, or one person. */
  peopleIn: (entry: string) => ReadonlySet<string>;
  isKeyInUse: (credential: string) => boolean;
};

/** Where a quorum stands. */
export type Tally = {
  yes: number;
  no: number;
  missing: number;
  /** The decision that the votes come to, or null while it is open. */
  end: "approve" | "reject" | "request_changes" | null;
};

/** Whose vote it is: that of the person stood in for, or one's own. */
export function principalOf({ by, on_behalf_of }: Pick<CountedVote, "by" | "on_behalf_of">): string {
  return on_behalf_of ?? by;
}

/** The votes after one more: a person has one vote, their own or as a deputy, and the last counts. */
export function withVote<V extends CountedVote>(votes: readonly V[], vote: V): V[] {
  const people = new Set([vote.by, principalOf(vote)]);
  return [...votes.filter((other) => !people.has(other.by) && !people.has(principalOf(other))), vote];
}

/** True while a vote counts: its voter is still in the seat, the key was not revoked, and it is not a yes of the requester. */
export function counts(quorum: StoredQuorum, vote: CountedVote, standing: Standing): boolean {
  if (!standing.peopleIn(vote.seat).has(principalOf(vote)) || !quorum.of.includes(vote.seat)) return false;
  if (vote.credential !== null && !standing.isKeyInUse(vote.credential)) return false;
  return !(vote.decision === "approve" && quorum.not_requester && isRequester(quorum, vote));
}

/** Nobody gets around "not the requester" through a deputy, in either direction. */
export function isRequester({ requester }: StoredQuorum, vote: Pick<CountedVote, "by" | "on_behalf_of">): boolean {
  return requester !== null && (vote.by === requester || vote.on_behalf_of === requester);
}

/** Count what was said. */
export function tally(quorum: StoredQuorum, votes: readonly CountedVote[], standing: Standing): Tally {
  const counted = votes.filter((vote) => counts(quorum, vote, standing));
  const noes = counted.filter(({ decision }) => decision !== "approve");
  const yes = filledSeats(quorum, counted);
  const alone = quorum.not_alone && yes.length > 0 && yes.every((vote) => isRequester(quorum, vote));
  const missing = Math.max(quorum.need - yes.length, alone ? 1 : 0, 0);
  const lastNo = noes.at(-1)?.decision as "reject" | "request_changes" | undefined;
  const end = lastNo !== undefined && noes.length >= quorum.rejections ? lastNo : missing === 0 ? "approve" : null;
  return { yes: yes.length, no: noes.length, missing, end };
}

/** The yes votes that count: in parallel every one, in order at most one for a seat, and none after an empty seat. */
function filledSeats({ order, of }: StoredQuorum, counted: readonly CountedVote[]): CountedVote[] {
  const yes = counted.filter(({ decision }) => decision === "approve");
  if (order === "parallel") return yes;
  const seats = of.map((seat) => yes.find((vote) => vote.seat === seat));
  const empty = seats.indexOf(undefined);
  return seats.slice(0, empty === -1 ? seats.length : empty) as CountedVote[];
}

/**
 * The entry that lets a person vote now: null for somebody who is in none, "later" for a yes out of turn. In order, a yes is for
 * the first seat that nobody has filled.
 */
export function seatFor(
  quorum: StoredQuorum,
  votes: readonly CountedVote[],
  voter: { by: string; on_behalf_of: string | null; decision: Decision },
  standing: Standing,
): string | "later" | null {
  const principal = principalOf(voter);
  const own = quorum.of.find((entry) => standing.peopleIn(entry).has(principal)) ?? null;
  if (own === null || quorum.order === "parallel" || voter.decision !== "approve") return own;
  const others = withVote(votes, { ...voter, seat: "", credential: null }).slice(0, -1);
  const filled = filledSeats(
    quorum,
    others.filter((vote) => counts(quorum, vote, standing)),
  ).length;
  const next = quorum.of[filled];
  return next !== undefined && standing.peopleIn(next).has(principal) ? next : "later";
}

/** Who could still make up the missing yes: in order, those in the next seat. */
export function mayVoteNext(quorum: StoredQuorum, votes: readonly CountedVote[], standing: Standing): string[] {
  const people = new Set(quorum.of.flatMap((entry) => [...standing.peopleIn(entry)]));
  const said = new Set(
    votes
      .filter((vote) => vote.decision === "approve" && counts(quorum, vote, standing))
      .flatMap((vote) => [vote.by, principalOf(vote)]),
  );
  return [...people].filter((person) => {
    const voter = { by: person, on_behalf_of: null, decision: "approve" as const };
    if (said.has(person) || (quorum.not_requester && isRequester(quorum, voter))) return false;
    const seat = seatFor(quorum, votes, voter, standing);
    return seat !== null && seat !== "later";
  });
}

/** True when there are enough people to approve it at all, whatever was said so far. */
export function canBeReached(quorum: StoredQuorum, standing: Standing): boolean {
  const mayApprove = (person: string) => !(quorum.not_requester && person === quorum.requester);
  const seats = quorum.of.map((entry) => [...standing.peopleIn(entry)].filter(mayApprove));
  const people = new Set(seats.flat());
  if (quorum.not_alone && [...people].every((person) => person === quorum.requester)) return false;
  if (quorum.order === "parallel") return people.size >= quorum.need;
  return matched(seats) === seats.length;
}

/** How many seats different people can fill: each seat in turn takes a free person, or one whose seat another can take. */
function matched(seats: readonly (readonly string[])[]): number {
  const seatOf = new Map<string, number>();
  const place = (seat: number, tried: Set<string>): boolean =>
    (seats[seat] ?? []).some((person) => {
      if (tried.has(person)) return false;
      tried.add(person);
      const taken = seatOf.get(person);
      if (taken !== undefined && !place(taken, tried)) return false;
      seatOf.set(person, seat);
      return true;
    });
  return seats.filter((_, seat) => place(seat, new Set())).length;
}
