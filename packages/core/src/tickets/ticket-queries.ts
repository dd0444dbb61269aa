// Queries on tickets: one, a page, an inbox, and counts.
import {
  type Insights,
  type OpenState,
  type Priority,
  parseHumanId,
  type Ticket,
  type TicketOutcome,
  type TicketState,
  type Tier,
} from "@hap/protocol";
import { nameOf } from "../people/people.ts";
import { votersOf } from "../quorum/inbox.ts";
import type { CountField, StoreReader } from "../store/store.ts";
import type { Context } from "../transaction/context.ts";
import { guardAsker } from "../waiting/waiters.ts";
import { readInsights } from "./insights.ts";
import { countPage, inboxPage, type ListQuery, listPage, type TicketCounts, type TicketPage } from "./list.ts";
import { resolveTicketId } from "./resolve-id.ts";
import { readLimits, type SpaceLimits } from "./space-limits.ts";
import { viewTicket } from "./view.ts";

/** A ticket without its texts. */
export type TicketFacts = {
  id: string;
  state: TicketState;
  kind: string;
  from: string;
  to: string;
  priority: Priority;
  risk: number;
  tier: Tier;
  created_at: string;
  outcome: TicketOutcome | null;
};
/** Open tickets of one state and one priority. */
export type OpenTickets = { state: OpenState; priority: Priority; count: number; remaining_seconds: number | null };

/** Queries on tickets. */
export class TicketQueries {
  readonly #engine: Context;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** One ticket, with everything that is due on it applied. */
  getTicket(id: string): Ticket {
    return this.#engine.store.glance(() => viewTicket(this.#engine.rows, this.#engine.current(id), this.#engine.now()));
  }

  /** Refuse, as if it were not there, a ticket that another agent opened. */
  assertAsker(id: string, agent: string): void {
    guardAsker(this.#engine.current(id), agent);
  }

  /** From a full id, a prefix, a suffix or a short code to the id, for one person (D12). */
  resolveId(text: string, person: string): { id: string; exact: boolean } {
    return resolveTicketId(this.#engine.rows, text, person);
  }

  /** What this space may take, as far as it is limited. */
  spaceLimits(): SpaceLimits {
    return this.#engine.store.peek(() => readLimits(this.#engine.rows));
  }

  /** A page of tickets, newest first. */
  list(query: ListQuery = {}): TicketPage {
    this.#engine.applyDueLeases();
    return this.#engine.store.glance(() => listPage(this.#engine.rows, query, this.#engine.now()));
  }

  /** A page of a person's open tickets, by priority and age. Delivers nothing by itself. */
  inbox(person: string, query: { cursor?: string | undefined; limit?: number | undefined } = {}): TicketPage {
    this.#engine.applyDueLeases();
    const name = parseHumanId(person, "person");
    return this.#engine.store.glance(() => inboxPage(this.#engine.rows, name, query, this.#engine.now()));
  }

  /** How many tickets wait for whom, most first. */
  waiting(): { person: string; tickets: number }[] {
    this.#engine.applyDueLeases();
    const { rows } = this.#engine;
    return this.#engine.store
      .glance(() => rows.openByPerson().map(({ person, count }) => ({ person: nameOf(rows, person), tickets: count })))
      .sort((a, b) => b.tickets - a.tickets || a.person.localeCompare(b.person));
  }

  /** How many tickets a list has in all, and by a field; `awake` leaves out those that were put off. */
  countTickets(query: ListQuery, by: CountField = "priority", awake = false): TicketCounts {
    this.#engine.applyDueLeases();
    const { rows, store } = this.#engine;
    return store.glance(() => countPage(rows, query, by, this.#engine.now(), awake));
  }

  /** Open tickets, newest first, of one person when given. */
  listPending(query: string | ListQuery = {}): Ticket[] {
    return this.list({ ...(typeof query === "string" ? { to: query } : query), state: "open" }).tickets;
  }

  /** Tickets in any state, newest first. */
  listAll(query: ListQuery = {}): Ticket[] {
    return this.list(query).tickets;
  }

  /** The parties of a ticket and its state, without texts and without applying anything. */
  parties(id: string): { from: string; to: string; state: TicketState; escalateTo: string[]; voters: string[] } | null {
    const { rows } = this.#engine;
    const record = rows.ticketById(id);
    if (record === undefined) return null;
    const name = (handle: string) => nameOf(rows, handle);
    const { from, lease } = record.ticket;
    const escalateTo = (lease.escalate?.to ?? []).map(name);
    return { from, to: name(record.to), state: record.state, escalateTo, voters: votersOf(rows, record).map(name) };
  }

  /** Latency, timeouts, risk, load and refusals since a moment (13.4), from the newest tickets and events. */
  insights(sinceMs: number): Insights {
    this.#engine.applyDueLeases();
    return this.#engine.store.read(() => readInsights(this.#engine.rows, sinceMs, this.#engine.now()));
  }

  /** A ticket without its texts, for those who count or pass on events; nothing is applied. */
  ticketFacts(id: string): TicketFacts | null {
    return ticketFacts(this.#engine.rows, id);
  }

  /** How many tickets are open, by state and priority, and the seconds that the shortest running lease has left. */
  openTickets(): OpenTickets[] {
    const now = this.#engine.now();
    return this.#engine.rows.openByPriority().map(({ state, priority, count, nextDeadline }) => {
      const runs = state !== "ACKED" && nextDeadline !== null;
      return { state, priority, count, remaining_seconds: runs ? Math.max(0, (nextDeadline - now) / 1000) : null };
    });
  }
}

/** A ticket without its texts, or null if there is none. */
export function ticketFacts(rows: StoreReader, id: string): TicketFacts | null {
  const record = rows.ticketById(id);
  if (record === undefined) return null;
  const { intent, from, priority, risk, tier, created_at } = record.ticket;
  const { state, resolution } = record;
  const to = nameOf(rows, record.to);
  return { id, state, kind: intent.kind, from, to, priority, risk, tier, created_at, outcome: resolution?.outcome ?? null };
}
