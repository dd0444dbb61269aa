// A person's inbox: what is addressed to them, and what waits for their vote (D45). By priority, then oldest first.
import { counts, mayVoteNext, PRIORITIES, principalOf, type Standing } from "@hap/protocol";
import type { StoreReader } from "../store/store.ts";
import type { TicketRecord } from "../tickets/record.ts";
import { standingOf } from "./standing.ts";

const PAGE = 100;

/** The first tickets after `after`. What they have voted on waits for others. */
export function inboxRecords(
  store: StoreReader,
  handle: string,
  { now, after, limit }: { now: number; after: TicketRecord | undefined; limit: number },
): TicketRecord[] {
  const standing = standingOf(store);
  const own = take(after, limit, (from, size) => store.listInbox(handle, now, from, size)).where(
    (record) => !hasVoted(record, handle, standing),
  );
  const others = take(after, limit, (from, size) => store.listQuorums(from, size)).where(
    (record) => record.to !== handle && isAwake(record, now) && mayVote(record, handle, standing),
  );
  return others.length === 0 ? own : [...own, ...others].sort(byPriority).slice(0, limit);
}

/** Reads page after page until enough fit. */
function take(
  after: TicketRecord | undefined,
  limit: number,
  read: (from: TicketRecord | undefined, size: number) => TicketRecord[],
): { where: (fits: (record: TicketRecord) => boolean) => TicketRecord[] } {
  return {
    where: (fits) => {
      const found: TicketRecord[] = [];
      let from = after;
      // The first page is as long as what is wanted: most often all of it fits.
      for (let size = limit; ; size = Math.max(limit, PAGE)) {
        const page = read(from, size);
        found.push(...page.filter(fits));
        if (page.length < size || found.length >= limit) return found.slice(0, limit);
        from = page.at(-1);
      }
    },
  };
}

/** True when this person can vote on it now and has not. */
function mayVote({ ticket, votes }: TicketRecord, handle: string, standing: Standing): boolean {
  return ticket.quorum !== undefined && mayVoteNext(ticket.quorum, votes ?? [], standing).includes(handle);
}

function hasVoted({ ticket, votes }: TicketRecord, handle: string, standing: Standing): boolean {
  const { quorum } = ticket;
  if (quorum === undefined) return false;
  return (votes ?? []).some((vote) => (vote.by === handle || principalOf(vote) === handle) && counts(quorum, vote, standing));
}

function isAwake({ snoozedUntil }: TicketRecord, now: number): boolean {
  return snoozedUntil === null || snoozedUntil <= now;
}

function byPriority(a: TicketRecord, b: TicketRecord): number {
  return PRIORITIES.indexOf(a.ticket.priority) - PRIORITIES.indexOf(b.ticket.priority) || a.seq - b.seq;
}

/** Everybody whose inbox has an open ticket, by handle: its addressee and those who can vote on it now, unless they have voted. */
export function reachedBy(store: StoreReader, record: TicketRecord): string[] {
  const { quorum } = record.ticket;
  if (quorum === undefined) return [record.to];
  const standing = standingOf(store);
  const people = new Set([record.to, ...mayVoteNext(quorum, record.votes ?? [], standing)]);
  return [...people].filter((person) => !hasVoted(record, person, standing));
}

/** Everybody who may vote on a ticket, by handle; nobody where one person decides. */
export function votersOf(store: StoreReader, { ticket }: TicketRecord): string[] {
  if (ticket.quorum === undefined) return [];
  const standing = standingOf(store);
  return [...new Set(ticket.quorum.of.flatMap((entry) => [...standing.peopleIn(entry)]))];
}
