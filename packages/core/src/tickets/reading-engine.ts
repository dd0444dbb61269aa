// What can be read from the engine: tickets, lists, events, and whether the log verifies.
import {
  type Insights,
  type Json,
  type LastVerification,
  type LoggedEvent,
  type OpenState,
  type Outcome,
  type Priority,
  parseHumanId,
  type Ticket,
  type TicketState,
  type Tier,
  type VerifyReport,
} from "@hap/protocol";
import { type EventQuery, queryEvents, resolveEvents } from "../log/events.ts";
import { keepVerification, readLastVerification } from "../log/quarantine.ts";
import { verifyLog, verifySteps, verifyTail } from "../log/verify.ts";
import { nameOf } from "../people/people.ts";
import { EngineBase } from "../transaction/engine-base.ts";
import { guardAsker } from "../waiting/waiters.ts";
import { readInsights } from "./insights.ts";
import { inboxPage, type ListQuery, listPage, type TicketPage } from "./list.ts";
import { resolveTicketId } from "./resolve-id.ts";
import { cursorAt, draftShape, viewEvent, viewTicket } from "./view.ts";

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
  outcome: Outcome | null;
};
/** Open tickets of one state and one priority. */
export type OpenTickets = { state: OpenState; priority: Priority; count: number; remaining_seconds: number | null };

export class ReadingEngine extends EngineBase {
  /** One ticket, with everything that is due on it applied. */
  getTicket(id: string): Ticket {
    return this.store.glance(() => viewTicket(this.store, this.current(id), this.now()));
  }

  /** Refuse, as if it were not there, a ticket that another agent opened. */
  assertAsker(id: string, agent: string): void {
    guardAsker(this.current(id), agent);
  }

  /** From a full id, a prefix, a suffix or a short code to the id, for one person (D12). */
  resolveId(text: string, person: string): { id: string; exact: boolean } {
    return resolveTicketId(this.store, text, person);
  }

  /** Commit something of no meaning: the only way to know that the disk takes a write. Throws what a write would. */
  probeWrite(): void {
    this.store.write((tx) => tx.setConfig("write_probe", String(this.now())));
  }

  /** A page of tickets, newest first. */
  list(query: ListQuery = {}): TicketPage {
    this.applyDueLeases();
    return this.store.glance(() => listPage(this.store, query, this.now()));
  }

  /** A page of a person's open tickets, by priority and age. Delivers nothing by itself. */
  inbox(person: string, query: { cursor?: string | undefined; limit?: number | undefined } = {}): TicketPage {
    this.applyDueLeases();
    return this.store.glance(() => inboxPage(this.store, parseHumanId(person, "person"), query, this.now()));
  }

  /** Open tickets, newest first, of one person when given. */
  listPending(query: string | ListQuery = {}): Ticket[] {
    return this.list({ ...(typeof query === "string" ? { to: query } : query), state: "open" }).tickets;
  }

  /** Tickets in any state, newest first. */
  listAll(query: ListQuery = {}): Ticket[] {
    return this.list(query).tickets;
  }

  /** Events after a cursor, as anyone can verify them. */
  getEvents(after?: string | EventQuery): LoggedEvent[] {
    return this.store.glance(() => queryEvents(this.store, typeof after === "string" ? { after } : (after ?? {})));
  }

  /** The same events in the draft's shape, with names and words. */
  getResolvedEvents(query: EventQuery = {}): Json[] {
    return this.resolve(this.getEvents(query));
  }

  /** Events in the draft's shape, with names and words. */
  resolve(events: readonly LoggedEvent[]): Json[] {
    return this.store.glance(() => resolveEvents(this.store, events).map(draftShape));
  }

  /** One event with names and words, under the types of the log. */
  resolveWords(event: LoggedEvent): Json {
    return this.store.glance(() => resolveEvents(this.store, [event])[0] as Json);
  }

  /** What happened to one ticket, with names and words, under the types of the log. */
  history(id: string): Json[] {
    const events = this.getEvents({ ticket: id, limit: Number.MAX_SAFE_INTEGER });
    return this.store.glance(() => resolveEvents(this.store, events));
  }

  /** The place of the newest event, or null in an empty log. */
  cursor(): string | null {
    const { seq } = this.store.head();
    return seq === 0 ? null : cursorAt(this.store, seq);
  }

  /** The newest event's place and hash; an empty log has neither. */
  head(): { seq: number; hash: string; cursor: string | null } {
    const { seq, hash } = this.store.head();
    return { seq, hash, cursor: seq === 0 ? null : cursorAt(this.store, seq) };
  }

  /** Events after a place, for those who keep count of it. */
  eventsAfterSeq(seq: number, limit: number): LoggedEvent[] {
    return this.store.eventsAfter(seq, limit).map(viewEvent);
  }

  /** Between whom a ticket is, and its state: without its texts, and with nothing applied. */
  parties(id: string): { from: string; to: string; state: TicketState; escalateTo: string[] } | null {
    const record = this.store.ticketById(id);
    if (record === undefined) return null;
    const name = (handle: string) => nameOf(this.store, handle);
    const { from, lease } = record.ticket;
    return { from, to: name(record.to), state: record.state, escalateTo: (lease.escalate?.to ?? []).map(name) };
  }

  /** Latency, timeouts, risk, load and refusals since a moment (13.4), from the newest tickets and events. */
  insights(sinceMs: number): Insights {
    this.applyDueLeases();
    return this.store.read(() => readInsights(this.store, sinceMs, this.now()));
  }

  /** What is known of a ticket without its texts, for those who count or pass on what happens; nothing is applied. */
  ticketFacts(id: string): TicketFacts | null {
    const record = this.store.ticketById(id);
    if (record === undefined) return null;
    const { intent, from, priority, risk, tier, created_at } = record.ticket;
    const { state, resolution } = record;
    const to = nameOf(this.store, record.to);
    return { id, state, kind: intent.kind, from, to, priority, risk, tier, created_at, outcome: resolution?.outcome ?? null };
  }

  /** How many tickets are open, by state and priority, and the seconds that the shortest running lease has left. */
  openTickets(): OpenTickets[] {
    const now = this.now();
    return this.store.openByPriority().map(({ state, priority, count, nextDeadline }) => {
      const runs = state !== "ACKED" && nextDeadline !== null;
      return { state, priority, count, remaining_seconds: runs ? Math.max(0, (nextDeadline - now) / 1000) : null };
    });
  }

  /** Check the log (D21). A violation makes the store read-only until it verifies again. */
  verifyEventLog(options: { chainOnly?: boolean } = {}): VerifyReport {
    const report = this.store.read(() =>
      verifyLog(this.store, { chainOnly: options.chainOnly ?? false, verifySignature: this.verifySignature }),
    );
    keepVerification(this.store, report, this.now());
    return report;
  }

  /**
   * Check the whole log as it is now, on a connection of its own and a little at a time, so that others go on; `pause` is waited
   * for between the parts. Null when the signal aborted. A violation makes the store read-only; a clean check lifts none.
   */
  async verifyInBackground(options: {
    sliceMs: number;
    pause: () => Promise<unknown>;
    signal: AbortSignal;
  }): Promise<VerifyReport | null> {
    const snapshot = this.store.snapshot();
    const steps = verifySteps(snapshot, { chainOnly: false, verifySignature: this.verifySignature });
    try {
      for (let since = performance.now(); ; ) {
        const { done, value } = steps.next();
        if (done === true) {
          keepVerification(this.store, value, this.now(), false);
          return value;
        }
        if (performance.now() - since < options.sliceMs) continue;
        await options.pause();
        if (options.signal.aborted) return null;
        since = performance.now();
      }
    } finally {
      steps.return?.(undefined as never);
      snapshot.close();
    }
  }

  /** Check what came after a place that verified, at most `limit` events of it. */
  verifySince(place: { seq: number; hash: string }, limit: number): VerifyReport {
    const report = this.store.read(() => verifyTail(this.store, place, limit));
    if (!report.ok) keepVerification(this.store, report, this.now(), false);
    return report;
  }

  /** The last verification of the log by anybody, or null when there was none. */
  lastVerification(): LastVerification | null {
    return readLastVerification(this.store);
  }
}
