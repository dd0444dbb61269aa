// The list that is shown: loaded a page at a time, kept up by the live line. Only what is loaded is delivered (D8).
import { isHapError, type LoggedEvent, type Ticket, ticketIdOf } from "@hap/protocol";
import type { TicketPage } from "@hap/sdk";
import { computed, signal } from "@preact/signals";
import { keepSearch } from "../router.ts";
import { now } from "../state/clock.ts";
import { byEnd, byUrgency, type Held, hold, isAsleep } from "../state/held.ts";
import { me, signedOut, wordsOf } from "../state/session.ts";
import { type Filters, fits, found, toQuery, type View } from "./filters.ts";
import { fromSearch, toSearch } from "./list-address.ts";
import { count, countSoon } from "./totals.ts";

/** Tickets that are loaded at once. */
const PAGE = 60;
/** A pause as long as this ends a word. */
const TYPING_MS = 150;
/** With more changes than this at once, the list is loaded anew. */
const FEW = 25;

const asked = typeof location === "undefined" ? fromSearch("") : fromSearch(location.search);
export const view = signal<View>(asked.view);
export const filters = signal<Filters>(asked.filters);
const next = signal<string | null>(null);
export const loading = signal(true);
export const failure = signal<string | null>(null);
const loaded = signal<ReadonlyMap<string, Held>>(new Map());

/** Tickets that arrived while the page was open, newest last: what notifications are made of. */
export const arrivals = signal<readonly Ticket[]>([]);

/** The earliest moment at which a ticket that was put off comes back. */
const sleepers = computed(() =>
  [...loaded.value.values()].flatMap(({ ticket }) =>
    ticket.lease.snoozed_until === null ? [] : [Date.parse(ticket.lease.snoozed_until)],
  ),
);
/** Moves only when one of them wakes, so that the list is not sorted every second. */
const woken = computed(() => sleepers.value.filter((at) => at <= now.value).length);

/** What is shown, in order. */
export const rows = computed<readonly Held[]>(() => {
  void woken.value;
  const shown = [...loaded.value.values()].filter(
    (held) => found(held.ticket, filters.value) && !(view.value === "mine" && isAsleep(held, Date.now())),
  );
  return shown.sort(view.value === "decided" ? byEnd : byUrgency);
});

/** Every ticket that is loaded, whatever is looked for. */
export const everything = computed(() => [...loaded.value.values()]);

let generation = 0;
let typing: ReturnType<typeof setTimeout> | undefined;

/** Show another list. */
export function choose(changes: { view?: View; filters?: Filters }): void {
  const before = { view: view.value, filters: filters.value };
  if (changes.view !== undefined) view.value = changes.view;
  if (changes.filters !== undefined) filters.value = changes.filters;
  keepSearch(toSearch(view.value, filters.value));
  const query = JSON.stringify(toQuery(view.value, filters.value, me().person));
  if (before.view === view.value && query === JSON.stringify(toQuery(before.view, before.filters, me().person))) return;
  clearTimeout(typing);
  // What is loaded already is narrowed at once; the server is asked when the person has stopped typing.
  if (before.filters.text !== filters.value.text) typing = setTimeout(() => void reload(), TYPING_MS);
  else void reload();
}

/** Load the list anew: its first page, or as much of it as there was. */
export async function reload(asMuch = false): Promise<void> {
  const mine = ++generation;
  const wanted = asMuch ? loaded.value.size : 1;
  loading.value = true;
  void count(view.value, filters.value);
  try {
    const fetched: Held[] = [];
    let after: string | null = null;
    do {
      const page: TicketPage = await fetchPage(after);
      if (mine !== generation) return;
      fetched.push(...page.tickets.map(hold));
      after = page.next;
    } while (after !== null && fetched.length < wanted);
    loaded.value = new Map(fetched.map((held) => [held.ticket.id, held]));
    next.value = after;
    failure.value = null;
  } catch (error) {
    if (mine === generation && !signedOut(error)) failure.value = wordsOf(error);
  } finally {
    if (mine === generation) loading.value = false;
  }
}

/** Load the page after the last one. */
export async function more(): Promise<void> {
  if (next.value === null || loading.value) return;
  const mine = generation;
  loading.value = true;
  try {
    let page: TicketPage;
    do {
      page = await fetchPage(next.value);
      if (mine !== generation) return;
      loaded.value = new Map([...loaded.value, ...page.tickets.map((ticket) => [ticket.id, hold(ticket)] as const)]);
      next.value = page.next;
      // A search may come back empty before it has seen everything.
    } while (page.tickets.length === 0 && page.next !== null);
  } catch (error) {
    if (mine === generation && !signedOut(error)) failure.value = wordsOf(error);
  } finally {
    if (mine === generation) loading.value = false;
  }
}

function fetchPage(cursor: string | null): Promise<TicketPage> {
  const query = toQuery(view.value, filters.value, me().person);
  const page = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
  return query === null ? me().inbox(page) : me().list({ ...query, ...page });
}

/** Take up a ticket that was fetched elsewhere on the page. */
export function take(ticket: Ticket): void {
  countSoon(view.value, filters.value);
  put([ticket]);
}

function put(tickets: readonly Ticket[]): void {
  const all = new Map(loaded.value);
  for (const ticket of tickets) {
    if (fits(ticket, view.value, filters.value, me().person)) all.set(ticket.id, hold(ticket));
    else all.delete(ticket.id);
  }
  loaded.value = all;
}

/** Events came in: fetch what they changed, as far as it belongs on the list. */
export async function hear(events: readonly LoggedEvent[]): Promise<void> {
  const ids = new Set<string>();
  const fresh = new Set<string>();
  for (const event of events) {
    const id = ticketIdOf(event.payload);
    if (id === null || isKnown(event, id)) continue;
    if (event.type === "ticket.create") fresh.add(id);
    ids.add(id);
  }
  if (ids.size > 0) countSoon(view.value, filters.value);
  if (ids.size > FEW) return reload(true);
  const fetched = await Promise.all([...ids].map(fetchTicket));
  const known = fetched.filter((ticket) => ticket !== null);
  // Beyond the pages that are loaded, a new ticket stays where it is until somebody scrolls there.
  put(known.filter((ticket) => loaded.value.has(ticket.id) || next.value === null || view.value !== "mine" || isWithin(ticket)));
  const mine = known.filter((ticket) => fresh.has(ticket.id) && ticket.to === me().person);
  if (mine.length > 0) arrivals.value = [...arrivals.value, ...mine].slice(-100);
  await deliverShown(known);
}

/** That a ticket was delivered is no news where it was loaded since: loading is what delivered it. */
function isKnown({ payload }: LoggedEvent, id: string): boolean {
  if (payload.type !== "ticket.state_change" || payload.metadata.reason !== "delivered") return false;
  const held = loaded.value.get(id);
  return held === undefined ? view.value === "mine" : held.ticket.state !== "PENDING";
}

/** Would the list show it before its last row? */
function isWithin(ticket: Ticket): boolean {
  const last = [...loaded.value.values()].sort(byUrgency).at(-1);
  return last === undefined || byUrgency(hold(ticket), last) < 0;
}

async function fetchTicket(id: string): Promise<Ticket | null> {
  try {
    return await me().getTicket(id);
  } catch (error) {
    if (isHapError(error) && error.code === "ticket_not_found") return null;
    if (!signedOut(error)) failure.value = wordsOf(error);
    return null;
  }
}

/** What came in live and is on the list now was shown. */
async function deliverShown(tickets: readonly Ticket[]): Promise<void> {
  const person = me().person;
  const shown = tickets.filter(({ id, state, to }) => state === "PENDING" && to === person && loaded.value.has(id));
  for (const { id } of shown) await me().show(id).then(take, signedOut);
}
