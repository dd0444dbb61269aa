// The tickets that were read so far, in the order of their list. Pure; never more than the pages that somebody looked at.
import { isOpen, PRIORITIES, shortCode, type Ticket } from "@hap/protocol";
import type { TicketPage } from "@hap/sdk";

/** The lists, in the order in which Tab goes through them. */
export const TABS = ["mine", "all", "decided"] as const;
export type Tab = (typeof TABS)[number];

/** A ticket, when it was read by our clock, and when it was seen to have left the list. */
export type Entry = { readonly ticket: Ticket; readonly readAtMs: number; readonly leftAtMs: number | null };

export type TicketList = {
  readonly tab: Tab;
  readonly entries: readonly Entry[];
  /** The cursor of the page after those that were read, or null at the end. */
  readonly next: string | null;
  readonly loading: boolean;
  /** It is being read anew: the next page takes the place of everything that is here. */
  readonly stale: boolean;
  /** The ticket under the cursor: an id, so that what arrives never moves it. */
  readonly current: string | null;
  readonly filter: string;
  /** The first item that is shown. */
  readonly top: number;
};

/** How long a ticket that somebody else decided stays to be read. */
export const LINGER_MS = 8000;

export function emptyList(tab: Tab, filter = ""): TicketList {
  return { tab, entries: [], next: null, loading: true, stale: true, current: null, filter, top: 0 };
}

/** Take a page that was read after the ones before. */
export function addPage(list: TicketList, page: TicketPage, nowMs: number): TicketList {
  const before = list.stale ? [] : list.entries;
  const known = new Set(before.map(({ ticket }) => ticket.id));
  const added = page.tickets.filter(({ id }) => !known.has(id)).map((ticket) => entry(ticket, nowMs));
  const entries = [...before, ...added].sort(orderOf(list.tab));
  return keepCurrent({ ...list, entries, next: page.next, loading: false, stale: false });
}

/** Take a ticket as it is now: it is replaced, comes in, or is on its way out. */
export function putTicket(list: TicketList, ticket: Ticket, person: string, nowMs: number): TicketList {
  const at = list.entries.findIndex((known) => known.ticket.id === ticket.id);
  const fits = belongs(list.tab, ticket, person);
  if (at === -1) return fits ? insert(list, entry(ticket, nowMs)) : list;
  const before = list.entries[at] as Entry;
  const leftAtMs = fits ? null : (before.leftAtMs ?? nowMs);
  const entries = list.entries.with(at, { ticket, readAtMs: nowMs, leftAtMs });
  return fits ? keepCurrent({ ...list, entries: [...entries].sort(orderOf(list.tab)) }) : { ...list, entries };
}

/** Take tickets out at once: those that were decided here. The cursor goes to the next one. */
export function dropTickets(list: TicketList, ids: ReadonlySet<string>): TicketList {
  const shown = matching(list);
  const at = shown.findIndex(({ ticket }) => ticket.id === list.current);
  const gone = at !== -1 && ids.has(list.current ?? "");
  const after = gone ? (shown.slice(at).find(({ ticket }) => !ids.has(ticket.id)) ?? last(shown, ids)) : undefined;
  const entries = list.entries.filter(({ ticket }) => !ids.has(ticket.id));
  return keepCurrent({ ...list, entries, current: gone ? (after?.ticket.id ?? null) : list.current });
}

/** Take out what has lingered long enough, but not from under the cursor. */
export function dropGone(list: TicketList, nowMs: number): TicketList {
  const gone = list.entries.filter(({ leftAtMs }) => leftAtMs !== null && nowMs - leftAtMs >= LINGER_MS);
  if (gone.length === 0) return list;
  return dropTickets(list, new Set(gone.map(({ ticket }) => ticket.id)));
}

/** Move the cursor by some tickets. */
export function moveCurrent(list: TicketList, by: number): TicketList {
  const shown = matching(list);
  const at = shown.findIndex(({ ticket }) => ticket.id === list.current);
  const to = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
  return { ...list, current: to?.ticket.id ?? null };
}

/** Narrow to the tickets that hold all of these words. */
export function setFilter(list: TicketList, filter: string): TicketList {
  return keepCurrent({ ...list, filter, top: 0 });
}

/** What the filter leaves. */
export function matching({ entries, filter }: Pick<TicketList, "entries" | "filter">): readonly Entry[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? entries : entries.filter(({ ticket }) => words.every((word) => haystack(ticket).includes(word)));
}

/** True when what was read so far does not reach the end of the list. */
export function wantsMore(list: TicketList): boolean {
  return list.next !== null && !list.loading;
}

export function currentEntry(list: TicketList): Entry | undefined {
  return list.entries.find(({ ticket }) => ticket.id === list.current);
}

/** What a list holds: mine what waits for the person, all what waits for anybody, decided what has ended for the person. */
function belongs(tab: Tab, ticket: Ticket, person: string): boolean {
  if (tab === "all") return isOpen(ticket.state);
  if (tab === "decided") return !isOpen(ticket.state) && ticket.to === person;
  return isOpen(ticket.state) && ticket.to === person && ticket.lease.snoozed_until === null;
}

/** The order in which the pages come: an inbox by priority and age, the others newest first. */
function orderOf(tab: Tab): (a: Entry, b: Entry) => number {
  if (tab !== "mine") return (a, b) => b.ticket.seq - a.ticket.seq;
  const rank = ({ ticket }: Entry) => PRIORITIES.indexOf(ticket.priority);
  return (a, b) => rank(a) - rank(b) || a.ticket.seq - b.ticket.seq;
}

/** What comes after the last ticket that was read comes with its page. */
function insert(list: TicketList, added: Entry): TicketList {
  const entries = [...list.entries, added].sort(orderOf(list.tab));
  if (list.next !== null && entries.at(-1) === added) return list;
  return keepCurrent({ ...list, entries });
}

function keepCurrent(list: TicketList): TicketList {
  const shown = matching(list);
  if (shown.some(({ ticket }) => ticket.id === list.current)) return list;
  return { ...list, current: shown[0]?.ticket.id ?? null };
}

function last(shown: readonly Entry[], without: ReadonlySet<string>): Entry | undefined {
  return shown.findLast(({ ticket }) => !without.has(ticket.id));
}

function entry(ticket: Ticket, readAtMs: number): Entry {
  return { ticket, readAtMs, leftAtMs: null };
}

function haystack({ id, intent, from, to, project, session, priority, tier, state, ask }: Ticket): string {
  const about = [intent.summary, intent.kind, from, to, project, session, priority, tier, state, ask.type, shortCode(id)];
  return about
    .filter((part) => part !== null)
    .join(" ")
    .toLowerCase();
}
