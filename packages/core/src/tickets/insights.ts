// The draft's dashboard (13.4) in numbers, from the newest tickets and events: a bounded look, never the whole log.
import { type ErrorCode, type Insights, isOpen, PRIORITIES, type Priority } from "@hap/protocol";
import { nameOf } from "../people/people.ts";
import type { StoreReader } from "../store/store.ts";
import { fromIso, type TicketRecord } from "./record.ts";

/** How many of the newest tickets and events are looked at. */
const LOOKED_AT = { tickets: 5_000, events: 20_000 };
const EVENTS_AT_ONCE = 1_000;
const HOUR_MS = 3_600_000;
const BUCKETS = 10;

/** Look at what happened since a moment. */
export function readInsights(store: StoreReader, since: number, now: number): Insights {
  const newest = store.listTickets({ limit: LOOKED_AT.tickets });
  const records = newest.filter(({ ticket }) => fromIso(ticket.created_at) >= since);
  const decided = records.filter((record) => record.resolution?.actor.kind === "human");
  const timed = records.filter((record) => record.resolution?.actor.kind === "timer").length;
  const open = records.filter(({ state }) => isOpen(state)).length;
  return {
    since: new Date(since).toISOString(),
    tickets: records.length,
    complete: records.length < LOOKED_AT.tickets,
    open,
    latency: PRIORITIES.map((priority) =>
      latencyOf(
        priority,
        decided.filter(({ ticket }) => ticket.priority === priority),
      ),
    ),
    ended: { people: decided.length, timer: timed, other: records.length - open - decided.length - timed },
    risk: histogram(records.map(({ ticket }) => ticket.risk)),
    load: loadOf(store, decided, (now - since) / HOUR_MS),
    security: refusals(store, since),
  };
}

function latencyOf(priority: Priority, decided: readonly TicketRecord[]): Insights["latency"][number] {
  const seconds = decided
    .filter(({ deliveredAt, resolution }) => deliveredAt !== null && resolution !== null)
    .map(({ deliveredAt, resolution }) => (fromIso(resolution?.at as string) - fromIso(deliveredAt as string)) / 1000)
    .map((value) => Math.max(0, value))
    .sort((a, b) => a - b);
  return {
    priority,
    count: seconds.length,
    p50: percentile(seconds, 0.5),
    p95: percentile(seconds, 0.95),
    p99: percentile(seconds, 0.99),
  };
}

/** The nearest-rank percentile of sorted numbers. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

function histogram(risks: readonly number[]): number[] {
  const buckets = Array.from({ length: BUCKETS }, () => 0);
  for (const risk of risks) {
    const at = Math.min(BUCKETS - 1, Math.floor(risk * BUCKETS));
    buckets[at] = (buckets[at] ?? 0) + 1;
  }
  return buckets;
}

function loadOf(store: StoreReader, decided: readonly TicketRecord[], hours: number): Insights["load"] {
  const counts = new Map<string, number>();
  for (const { resolution } of decided) {
    const handle = resolution?.actor.id ?? "";
    counts.set(handle, (counts.get(handle) ?? 0) + 1);
  }
  return [...counts]
    .map(([handle, count]) => ({ person: nameOf(store, handle), decided: count, per_hour: round(count / Math.max(1, hours)) }))
    .sort((a, b) => b.decided - a.decided);
}

function refusals(store: StoreReader, since: number): Insights["security"] {
  const found = new Map<ErrorCode, { count: number; last_at: string }>();
  const { seq: end } = store.head();
  for (let after = Math.max(0, end - LOOKED_AT.events); after < end; ) {
    const rows = store.eventsAfter(after, EVENTS_AT_ONCE);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.seq;
    for (const { payload } of rows) {
      // Most events are something else, and reading them as JSON would be most of the cost.
      if (!payload.includes('"type":"intent.invalid"')) continue;
      const { code, ts } = JSON.parse(payload) as { code: ErrorCode; ts: string };
      if (fromIso(ts) >= since) found.set(code, { count: (found.get(code)?.count ?? 0) + 1, last_at: ts });
    }
  }
  return [...found].map(([code, rest]) => ({ code, ...rest })).sort((a, b) => b.count - a.count);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
