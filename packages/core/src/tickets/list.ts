// Lists of tickets, a page at a time, by cursor: never everything (D12).
import {
  decodeCursor,
  HapError,
  holdsText,
  OPEN_STATES,
  parseAskerId,
  parseHumanId,
  quote,
  TICKET_STATES,
  type Ticket,
  type TicketState,
} from "@hap/protocol";
import { nameOf } from "../people/people.ts";
import { inboxRecords } from "../quorum/inbox.ts";
import type { CountField, StoreReader, TicketFilter } from "../store/store.ts";
import { fromIso, type TicketRecord, toIso } from "./record.ts";
import { cursorAt, viewTicket } from "./view.ts";

/** How callers narrow a list. People and projects by name, ages as moments. */
export type ListQuery = {
  to?: string | undefined;
  from?: string | undefined;
  /** States by name; `open` stands for those that still wait. */
  state?: TicketState | "open" | readonly TicketState[] | undefined;
  kind?: string | undefined;
  project?: string | undefined;
  session?: string | undefined;
  tier?: string | undefined;
  /** Words that it holds, each somewhere; see `holdsText`. */
  text?: string | undefined;
  /** At least this risk, and less than that. */
  risk_min?: number | undefined;
  risk_below?: number | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};

/** A page, and the cursor of the next one or null. */
export type TicketPage = { tickets: Ticket[]; next: string | null };

const DEFAULT_LIMIT = 50;
/** How many tickets one search looks at, and how many at a time; the cursor goes on where it stopped. */
const MOST_SEARCHED = 2_000;
const SEARCHED_AT_ONCE = 200;
const LONGEST_TEXT = 500;
const MOST = 1000;

/** Newest first. */
export function listPage(store: StoreReader, query: ListQuery, now: number): TicketPage {
  const filter = toFilter(store, query);
  if (filter === null) return { tickets: [], next: null };
  const search = toSearch(query);
  if (search !== null) return searchPage(store, filter, search, now);
  return toPage(store, store.listTickets({ ...filter, limit: filter.limit + 1 }), filter.limit, now);
}

/** What no index knows: texts lie apart from tickets, and risks are numbers. */
type Search = { text: string; riskMin: number; riskBelow: number };

function toSearch({ text, risk_min, risk_below }: ListQuery): Search | null {
  if ((text === undefined || text.trim() === "") && risk_min === undefined && risk_below === undefined) return null;
  if ((text?.length ?? 0) > LONGEST_TEXT)
    throw new HapError("invalid_input", `text has ${text?.length} characters; ${LONGEST_TEXT} are allowed.`, { field: "text" });
  return { text: text ?? "", riskMin: checkRisk(risk_min, "risk_min") ?? 0, riskBelow: checkRisk(risk_below, "risk_below") ?? 2 };
}

/** A page of what is found, which may be short of its limit, or empty, before the end: looking is bounded, and goes on by cursor. */
function searchPage(store: StoreReader, filter: TicketFilter, search: Search, now: number): TicketPage {
  const tickets: Ticket[] = [];
  let beforeSeq = filter.beforeSeq;
  for (let searched = 0; searched < MOST_SEARCHED; searched += SEARCHED_AT_ONCE) {
    const from = beforeSeq === undefined ? {} : { beforeSeq };
    const records = store.listTickets({ ...filter, ...from, limit: SEARCHED_AT_ONCE });
    for (const record of records) {
      if (tickets.length === filter.limit) return { tickets, next: cursorAt(store, beforeSeq as number) };
      beforeSeq = record.seq;
      const { risk } = record.ticket;
      if (risk < search.riskMin || risk >= search.riskBelow) continue;
      const ticket = viewTicket(store, record, now);
      if (holdsText(ticket, search.text)) tickets.push(ticket);
    }
    if (records.length < SEARCHED_AT_ONCE) return { tickets, next: null };
  }
  return { tickets, next: cursorAt(store, beforeSeq as number) };
}

function checkRisk(risk: number | undefined, field: string): number | undefined {
  if (risk === undefined || (risk >= 0 && risk <= 1)) return risk;
  throw new HapError("invalid_input", `${field} is ${risk}; it must be a number from 0 to 1.`, { field });
}

/** How many tickets a list has in all, and in each group. Searches in texts are not counted: no index knows them. */
export type TicketCounts = { total: number; groups: { key: string | null; count: number }[] };

/** Count what `listPage` would list; `awake` leaves out what was put off. */
export function countPage(store: StoreReader, query: ListQuery, by: CountField, now: number, awake: boolean): TicketCounts {
  const filter = toFilter(store, query);
  if (filter === null) return { total: 0, groups: [] };
  if (toSearch(query) !== null)
    throw new HapError("invalid_input", "Tickets are not counted by text or risk; leave both out.", { field: "text" });
  const groups = store.countBy(filter, by, awake ? now : undefined);
  const named = groups.map(({ key, count }) => ({ key: key === null || by !== "project" ? key : nameOf(store, key), count }));
  return { total: groups.reduce((sum, { count }) => sum + count, 0), groups: named };
}

/** What waits for a person: highest priority first, then oldest; what they snoozed is left out. */
export function inboxPage(
  store: StoreReader,
  person: string,
  query: { cursor?: string | undefined; limit?: number | undefined },
  now: number,
): TicketPage {
  const handle = store.handleOf(person);
  if (handle === undefined) return { tickets: [], next: null };
  const limit = checkLimit(query.limit);
  const after = query.cursor === undefined ? undefined : store.ticketBySeq(positionOf(store, query.cursor));
  if (query.cursor !== undefined && after === undefined)
    throw new HapError("invalid_cursor", "The cursor belongs to another list: an inbox goes on after one of its own pages.", {
      field: "cursor",
    });
  return toPage(store, inboxRecords(store, handle, { now, after, limit: limit + 1 }), limit, now);
}

function toPage(store: StoreReader, found: TicketRecord[], limit: number, now: number): TicketPage {
  const records = found.slice(0, limit);
  const last = records.at(-1);
  return {
    tickets: records.map((record) => viewTicket(store, record, now)),
    next: found.length > limit && last !== undefined ? cursorAt(store, last.seq) : null,
  };
}

/** Null when the query names somebody or something that has no ticket. */
function toFilter(store: StoreReader, query: ListQuery): TicketFilter | null {
  const filter: TicketFilter = { limit: checkLimit(query.limit) };
  if (query.state !== undefined) filter.states = checkStates(query.state);
  if (query.to !== undefined) {
    const handle = store.handleOf(parseHumanId(query.to, "to"));
    if (handle === undefined) return null;
    filter.to = handle;
  }
  if (query.project !== undefined) {
    const handle = store.handleOf(query.project);
    if (handle === undefined) return null;
    filter.project = handle;
  }
  if (query.cursor !== undefined) filter.beforeSeq = positionOf(store, query.cursor);
  if (query.from !== undefined) filter.from = parseAskerId(query.from, "from");
  if (query.kind !== undefined) filter.kind = query.kind;
  if (query.session !== undefined) filter.session = query.session;
  if (query.tier !== undefined) filter.tier = query.tier;
  if (query.created_after !== undefined) filter.createdAfter = checkMoment(query.created_after, "created_after");
  if (query.created_before !== undefined) filter.createdBefore = checkMoment(query.created_before, "created_before");
  return filter;
}

function checkStates(state: NonNullable<ListQuery["state"]>): readonly TicketState[] {
  if (state === "open") return OPEN_STATES;
  const states = [state].flat() as TicketState[];
  const unknown = states.find((name) => !TICKET_STATES.includes(name));
  if (unknown === undefined && states.length > 0) return states;
  throw new HapError("invalid_input", `state is ${String(unknown)}; it must be open or one of ${TICKET_STATES.join(", ")}.`, {
    field: "state",
  });
}

/** Any way to write a moment becomes the one that tickets carry, since they are compared as texts. */
function checkMoment(moment: string, field: string): string {
  const ms = fromIso(moment);
  if (!Number.isNaN(ms)) return toIso(ms);
  throw new HapError("invalid_input", `${field} is ${quote(moment)}; it must be a time such as 2026-01-31T10:01:05Z.`, { field });
}

function checkLimit(limit: number | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
  throw new HapError("invalid_input", `limit is ${limit}; it must be a whole number from 1 to ${MOST}.`, { field: "limit" });
}

/** The place that a cursor names, checked against this history. */
export function positionOf(store: StoreReader, cursor: string): number {
  const { space, seq, mark } = decodeCursor(cursor);
  const row = space === store.space ? store.eventAt(seq) : undefined;
  if (row?.hash.startsWith(mark)) return seq;
  throw new HapError(
    "cursor_forked",
    "The cursor belongs to another history: this log was restored or replaced since. Start again without it.",
    { field: "cursor", seq },
  );
}
