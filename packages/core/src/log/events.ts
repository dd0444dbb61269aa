// Reading the log: pages after a cursor, for everyone, for one ticket, or for what one agent may see (D4).
import { eventIdSeq, HapError, ID_PATTERNS, type Json, type LoggedEvent, ticketIdOf } from "@hap/protocol";
import type { StoreReader } from "../store/store.ts";
import { positionOf } from "../tickets/list.ts";
import { resolveEvent, viewEvent } from "../tickets/view.ts";
import { noSuchTicket } from "../transaction/session.ts";
import { rowEventId } from "./row-event-id.ts";

/** Which events. `after` is a cursor or an event id; `agent` keeps to what is that agent's own. */
export type EventQuery = { after?: string; limit?: number; ticket?: string; agent?: string };

const DEFAULT_LIMIT = 1000;
/** How many events are looked at in one go when few of them are wanted. */
const SCAN = 500;

/** A page of events in their order. */
export function queryEvents(store: StoreReader, query: EventQuery): LoggedEvent[] {
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1)
    throw new HapError("invalid_input", `limit is ${limit}; it must be a whole number, 1 or more.`, { field: "limit" });
  const after = query.after === undefined ? 0 : placeOf(store, query.after);
  if (query.ticket !== undefined) return ticketHistory(store, query.ticket, after).slice(0, limit);
  if (query.agent !== undefined) return eventsOf(store, query.agent, after, limit);
  return store.eventsAfter(after, limit).map(viewEvent);
}

/** What one agent may see: events of tickets that it opened, and those about itself. */
function eventsOf(store: StoreReader, agent: string, from: number, limit: number): LoggedEvent[] {
  const found: LoggedEvent[] = [];
  const own = new Map<string, boolean>();
  for (let after = from; found.length < limit; ) {
    const rows = store.eventsAfter(after, SCAN);
    for (const event of rows.map(viewEvent)) {
      const { payload } = event;
      if ("agent" in payload && payload.type !== "key.create" && payload.agent === agent) found.push(event);
      const id = ticketIdOf(event.payload);
      if (id === null) continue;
      if (!own.has(id)) own.set(id, store.ticketById(id)?.ticket.from === agent);
      if (own.get(id) === true) found.push(event);
    }
    if (rows.length < SCAN) break;
    after = rows.at(-1)?.seq ?? after;
  }
  return found.slice(0, limit);
}

function ticketHistory(store: StoreReader, id: string, after: number): LoggedEvent[] {
  const record = store.ticketById(id);
  if (record === undefined) throw noSuchTicket(id);
  return store.ticketEvents(record.lastSeq, after).map(viewEvent);
}

/** The place of a cursor or of an event id. */
function placeOf(store: StoreReader, after: string): number {
  if (!ID_PATTERNS.event.test(after)) return positionOf(store, after);
  const seq = eventIdSeq(after);
  if (rowEventId(store.eventAt(seq)) === after) return seq;
  throw new HapError("cursor_forked", `There is no event ${after} in this log. Start again without it.`, { field: "after" });
}

/** Names and words in place of handles and digests. */
export function resolveEvents(store: StoreReader, events: readonly LoggedEvent[]): Json[] {
  return events.map((event) => resolveEvent(store, event.payload));
}
