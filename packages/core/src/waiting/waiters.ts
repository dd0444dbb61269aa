// Those in this process who wait for a ticket's end or follow the log. When the engine is disposed, each of them is told.
import { HapError, isOpen, type LoggedEvent, type Ticket } from "@hap/protocol";
import { queryEvents } from "../log/events.ts";
import type { TicketRecord } from "../tickets/record.ts";
import { viewTicket } from "../tickets/view.ts";
import type { Context } from "../transaction/context.ts";
import type { EventListener } from "./feed.ts";

/** The longest that a timer of Node can run. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** How long to wait, until when, and for whom: with `asker`, only for a ticket that this agent opened. */
export type WaitForOptions = { timeout?: number | undefined; signal?: AbortSignal | undefined; asker?: string | undefined };

/** Those in this process who wait. */
export class Waiters {
  readonly #engine: Context;
  readonly #endings = new Set<(why?: Error) => void>();
  readonly #watches = new Set<() => void>();
  #open = true;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** Wait until the ticket has ended, or for `timeout` milliseconds; resolves with the ticket as it is then. */
  waitFor(id: string, options: WaitForOptions): Promise<Ticket> {
    const { timeout, signal, asker } = options;
    const engine = this.#engine;
    return new Promise<Ticket>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let stop = () => {};
      const finish = (end: () => void) => {
        stop();
        clearTimeout(timer);
        this.#endings.delete(giveUp);
        signal?.removeEventListener("abort", abort);
        end();
      };
      const abort = () => finish(() => reject(signal?.reason));
      const giveUp = (why: Error = engine.disposed()) => finish(() => reject(why));
      /** Settle when the ticket has ended or the time is over; say whether that was so. */
      const look = (timeIsOver = false) => {
        try {
          const ticket = engine.store.glance(() => {
            const record = engine.current(id);
            if (asker !== undefined) guardAsker(record, asker);
            return isOpen(record.state) && !timeIsOver ? null : viewTicket(engine.rows, record, engine.now());
          });
          if (ticket === null) return false;
          finish(() => resolve(ticket));
        } catch (error) {
          finish(() => reject(error));
        }
        return true;
      };
      if (signal?.aborted) return abort();
      if (!this.#open) return giveUp();
      // Watch first, then look: whatever is committed in between is heard.
      stop = engine.runner.feed.watchTicket(id, () => look());
      this.#endings.add(giveUp);
      signal?.addEventListener("abort", abort);
      if (timeout !== undefined) timer = setTimeout(() => look(true), Math.min(timeout, LONGEST_TIMEOUT_MS));
      look();
    });
  }

  /** Events as they come, after a cursor or from the first on, until the signal aborts or the engine is disposed. */
  async *follow(options: { after?: string | undefined; signal?: AbortSignal | undefined }): AsyncGenerator<LoggedEvent[]> {
    const { signal } = options;
    let after = options.after;
    let wake = () => {};
    const stop = this.#engine.runner.feed.watchAll(() => wake());
    const end = () => wake();
    this.#endings.add(end);
    signal?.addEventListener("abort", end);
    try {
      while (this.#open && !signal?.aborted) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const events = queryEvents(this.#engine.rows, { ...(after === undefined ? {} : { after }), limit: 500 });
        if (events.length > 0) {
          after = events.at(-1)?.cursor;
          yield events;
        } else await changed;
      }
    } finally {
      stop();
      this.#endings.delete(end);
      signal?.removeEventListener("abort", end);
    }
  }

  /** Tell `listen` every event from now on, until the returned function is called or the engine is disposed. */
  watchEvents(listen: EventListener): () => void {
    if (!this.#open) throw this.#engine.disposed();
    const stopFeed = this.#engine.runner.feed.watchEvents(listen);
    const stop = () => {
      this.#watches.delete(stop);
      stopFeed();
    };
    this.#watches.add(stop);
    return stop;
  }

  /** End every wait for a ticket with this. */
  endWaits(why: Error): void {
    for (const end of [...this.#endings]) end(why);
  }

  /** Tell everybody who waits that it is over. */
  close(): void {
    this.#open = false;
    for (const end of [...this.#endings]) end();
    for (const stop of [...this.#watches]) stop();
  }
}

/** Refuse, as if it were not there, a ticket that another agent opened. */
export function guardAsker({ ticket: { id, from } }: TicketRecord, agent: string): void {
  if (from === agent) return;
  throw new HapError("ticket_not_found", `There is no ticket ${id} of ${agent}.`, { ticket_id: id });
}
