// Reading the log: pages after a cursor, for everyone, for one ticket, or for what one agent may see (D4).
import { eventIdSeq, HapError, ID_PATTERNS, type Json, type LoggedEvent } from "@hap/protocol";
import { ticketIdOf } from "./fold.ts";
import { positionOf } from "./list.ts";
import { rowEventId } from "./log/row-event-id.ts";
import { noSuchTicket } from "./session.ts";
import type { StoreReader } from "./store/store.ts";
import { resolveEvent, viewEvent } from "./view.ts";

/** Which events. `after` is a cursor or an event id; `agent` keeps to what is that agent's own. */
export type EventQuery = { after?: string; limit?: number; ticket?: string; agent?: string };

const DEFAULT_LIMIT = 1000;

/** A page of events in their order. */
export function queryEvents(store: StoreReader, query: EventQuery): LoggedEvent[] {
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1)
    throw new HapError("invalid_input", `limit is ${limit}; it must be a whole number, 1 or more.`, { field: "limit" });
  const found: LoggedEvent[] = [];
  let after = query.after === undefined ? 0 : placeOf(store, query.after);
  if (query.ticket !== undefined) return ticketHistory(store, query.ticket, after).slice(0, limit);
  while (found.length < limit) {
    const rows = store.eventsAfter(after, limit - found.length);
    const events = rows.map(viewEvent);
    found.push(...(query.agent === undefined ? events : events.filter((event) => isOf(store, event, query.agent as string))));
    const last = rows.at(-1);
    if (last === undefined || query.agent === undefined) break;
    after = last.seq;
  }
  return found;
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

function isOf(store: StoreReader, event: LoggedEvent, agent: string): boolean {
  if ("agent" in event.payload) return event.payload.agent === agent;
  const id = ticketIdOf(event.payload);
  return id !== null && store.ticketById(id)?.ticket.from === agent;
}

/** Names and words in place of handles and digests. */
export function resolveEvents(store: StoreReader, events: readonly LoggedEvent[]): Json[] {
  return events.map((event) => resolveEvent(store, event.payload));
}
