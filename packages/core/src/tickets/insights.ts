// The draft's dashboard (13.4) in numbers, from the newest tickets and events: a bounded look, never the whole log.
import { type ErrorCode, GRANT_LIMITS, type HapEvent, type Insights, isOpen, PRIORITIES, type Priority } from "@hap/protocol";
import { stateOf } from "../grants/records.ts";
import { nameOf } from "../people/people.ts";
import type { StoreReader } from "../store/store.ts";
import { fromIso, type TicketRecord } from "./record.ts";

/** How many of the newest tickets and events are looked at. */
const LOOKED_AT = { tickets: 5_000, events: 20_000 };
const EVENTS_AT_ONCE = 1_000;
const HOUR_MS = 3_600_000;
const BUCKETS = 10;
/** Nobody reads anything in less, and nobody reads faster than this many characters a second. */
const LEAST_READING_MS = 1_000;
const READ_PER_SECOND = 200;

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
    asks: asksOf(records),
    hasty: decided.filter((record) => isHasty(store, record)).length,
    expired: records.filter(({ state }) => state === "EXPIRED").length,
    ...countEvents(store, since, now),
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

function asksOf(records: readonly TicketRecord[]): Insights["asks"] {
  return [...Map.groupBy(records, ({ ticket }) => ticket.from)]
    .map(([agent, own]) => {
      const hours = Map.groupBy(own, ({ ticket }) => Math.floor(fromIso(ticket.created_at) / HOUR_MS));
      return { agent, tickets: own.length, busiest_hour: Math.max(...[...hours.values()].map(({ length }) => length)) };
    })
    .sort((a, b) => b.tickets - a.tickets);
}

/** Sooner than the texts of a ticket can be read, from when it was shown. */
function isHasty(store: StoreReader, { seq, deliveredAt, resolution }: TicketRecord): boolean {
  if (deliveredAt === null || resolution === null) return false;
  let characters = 0;
  for (const { body } of store.contents(seq).values()) characters += body.length;
  return fromIso(resolution.at) - fromIso(deliveredAt) < LEAST_READING_MS + (characters / READ_PER_SECOND) * 1000;
}

/** Refused decisions, and what grants and rules decided. */
function countEvents(store: StoreReader, since: number, now: number): Pick<Insights, "security" | "standing"> {
  const found = new Map<ErrorCode, { count: number; last_at: string }>();
  const open = store.openGrants().filter((grant) => stateOf(grant, now) === "active");
  const idleSince = now - GRANT_LIMITS.unusedDays * 24 * HOUR_MS;
  const unused = open.filter(({ lastUsedAt, createdAt }) => fromIso(lastUsedAt ?? createdAt) <= idleSince);
  const standing = { grants: 0, denials: 0, rules: 0, grants_in_force: open.length, grants_unused: unused.length };
  const { seq: end } = store.head();
  for (let after = Math.max(0, end - LOOKED_AT.events); after < end; ) {
    const rows = store.eventsAfter(after, EVENTS_AT_ONCE);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.seq;
    for (const { payload } of rows) {
      // Most events are something else, and reading them as JSON would be most of the cost.
      if (!/"type":"(?:intent\.invalid|grant\.use|policy\.decision)"/.test(payload)) continue;
      const event = JSON.parse(payload) as HapEvent;
      if (fromIso(event.ts) < since) continue;
      if (event.type === "intent.invalid")
        found.set(event.code, { count: (found.get(event.code)?.count ?? 0) + 1, last_at: event.ts });
      else if (event.type === "grant.use") standing[event.authority === null ? "denials" : "grants"] += 1;
      else if (event.type === "policy.decision" && event.verdict !== "ask") standing.rules += 1;
    }
  }
  const security = [...found].map(([code, rest]) => ({ code, ...rest })).sort((a, b) => b.count - a.count);
  return { security, standing };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
