// What can be read from the engine: tickets, lists, events, and whether the log verifies.
import { HapError, type Json, type LoggedEvent, parseHumanId, type Ticket } from "@hap/protocol";
import { EngineBase } from "./engine-base.ts";
import { type EventQuery, queryEvents, resolveEvents } from "./events.ts";
import { inboxPage, type ListQuery, listPage, type TicketPage } from "./list.ts";
import { type VerifyReport, verifyLog } from "./log/verify.ts";
import { resolveTicketId } from "./resolve-id.ts";
import { cursorAt, draftShape, viewTicket } from "./view.ts";

export class ReadingEngine extends EngineBase {
  /** One ticket, with everything that is due on it applied. */
  getTicket(id: string): Ticket {
    return viewTicket(this.store, this.current(id), this.now());
  }

  /** Refuse, as if it were not there, a ticket that another agent opened. */
  assertAsker(id: string, agent: string): void {
    if (this.current(id).ticket.from === agent) return;
    throw new HapError("ticket_not_found", `There is no ticket ${id} of ${agent}.`, { ticket_id: id });
  }

  /** From a full id, a prefix, a suffix or a short code to the id, for one person (D12). */
  resolveId(text: string, person: string): { id: string; exact: boolean } {
    return resolveTicketId(this.store, text, person);
  }

  /** A page of tickets, newest first. */
  list(query: ListQuery = {}): TicketPage {
    this.applyDueLeases();
    return listPage(this.store, query, this.now());
  }

  /** A page of a person's open tickets, by priority and age. Delivers nothing by itself. */
  inbox(person: string, query: { cursor?: string | undefined; limit?: number | undefined } = {}): TicketPage {
    this.applyDueLeases();
    return inboxPage(this.store, parseHumanId(person, "person"), query, this.now());
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
    return queryEvents(this.store, typeof after === "string" ? { after } : (after ?? {}));
  }

  /** The same events in the draft's shape, with names and words. */
  getResolvedEvents(query: EventQuery = {}): Json[] {
    return resolveEvents(this.store, this.getEvents(query)).map(draftShape);
  }

  /** What happened to one ticket, with names and words, under the types of the log. */
  history(id: string): Json[] {
    return resolveEvents(this.store, this.getEvents({ ticket: id, limit: Number.MAX_SAFE_INTEGER }));
  }

  /** The place of the newest event, or null in an empty log. */
  cursor(): string | null {
    const { seq } = this.store.head();
    return seq === 0 ? null : cursorAt(this.store, seq);
  }

  /** Check the log (D21). A violation makes the store read-only until it verifies again. */
  verifyEventLog(options: { chainOnly?: boolean } = {}): VerifyReport {
    const report = this.store.read(() =>
      verifyLog(this.store, { chainOnly: options.chainOnly ?? false, verifySignature: this.verifySignature }),
    );
    this.quarantine(report);
    return report;
  }
}
