// The log: reading events, verifying them, copies, and whether the store is read-only.
import type { BackupReport, Json, LastVerification, LoggedEvent, VerifyReport } from "@hap/protocol";
import { cursorAt, draftShape, viewEvent } from "../tickets/view.ts";
import type { Context } from "../transaction/context.ts";
import { backupStore } from "./backup.ts";
import { type EventQuery, queryEvents, resolveEvents } from "./events.ts";
import { keepVerification, readLastVerification } from "./quarantine.ts";
import { verifyLog, verifySteps, verifyTail } from "./verify.ts";

/** Queries on the log, and its verification. */
export class Log {
  readonly #engine: Context;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** Events after a cursor, as anyone can verify them. */
  getEvents(after?: string | EventQuery): LoggedEvent[] {
    const query = typeof after === "string" ? { after } : (after ?? {});
    return this.#engine.store.glance(() => queryEvents(this.#engine.rows, query));
  }

  /** The same events in the draft's shape, with names and texts. */
  getResolvedEvents(query: EventQuery = {}): Json[] {
    return this.resolve(this.getEvents(query));
  }

  /** Events in the draft's shape, with names and texts. */
  resolve(events: readonly LoggedEvent[]): Json[] {
    return this.#engine.store.glance(() => resolveEvents(this.#engine.rows, events).map(draftShape));
  }

  /** One event with names and texts, under the types of the log. */
  resolveWords(event: LoggedEvent): Json {
    return this.#engine.store.glance(() => resolveEvents(this.#engine.rows, [event])[0] as Json);
  }

  /** The events of one ticket, with names and texts, under the types of the log. */
  history(id: string): Json[] {
    const events = this.getEvents({ ticket: id, limit: Number.MAX_SAFE_INTEGER });
    return this.#engine.store.glance(() => resolveEvents(this.#engine.rows, events));
  }

  /** The cursor of the newest event, or null in an empty log. */
  cursor(): string | null {
    return this.head().cursor;
  }

  /** The newest event's sequence number, hash and cursor. */
  head(): { seq: number; hash: string; cursor: string | null } {
    const { rows } = this.#engine;
    const { seq, hash } = rows.head();
    return { seq, hash, cursor: seq === 0 ? null : cursorAt(rows, seq) };
  }

  /** Events after a sequence number. */
  eventsAfterSeq(seq: number, limit: number): LoggedEvent[] {
    return this.#engine.rows.eventsAfter(seq, limit).map(viewEvent);
  }

  /** Commit a meaningless row: the only way to know that the disk takes a write. Throws what a write would. */
  probeWrite(): void {
    this.#engine.write((rows, now) => rows.setConfig("write_probe", String(now)));
  }

  /** What must still happen before the bytes of erased texts are gone, where HAP cannot do it all; else undefined. */
  erasurePending(): string | undefined {
    return this.#engine.store.erasurePending;
  }

  /** The violation that made this store read-only, or null. */
  violation(): string | null {
    return this.#engine.violation();
  }

  /** Check the log (D21). A violation makes the store read-only until it verifies again. */
  verifyEventLog(options: { chainOnly?: boolean } = {}): VerifyReport {
    const { store, verifySignature } = this.#engine;
    const report = store.read(() => verifyLog(store, { chainOnly: options.chainOnly ?? false, verifySignature }));
    keepVerification(this.#engine, report);
    return report;
  }

  /**
   * Check the whole log as it is now, on a connection of its own and a little at a time, so that others go on; `pause` is awaited
   * between the parts. Null when the signal aborted. A violation makes the store read-only; a clean check lifts none.
   */
  async verifyInBackground(options: {
    sliceMs: number;
    pause: () => Promise<unknown>;
    signal: AbortSignal;
  }): Promise<VerifyReport | null> {
    const snapshot = this.#engine.store.snapshot();
    const steps = verifySteps(snapshot, { chainOnly: false, verifySignature: this.#engine.verifySignature });
    try {
      for (let since = performance.now(); ; ) {
        const { done, value } = steps.next();
        if (done === true) {
          keepVerification(this.#engine, value, false);
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

  /** Check at most `limit` events after a place that verified. */
  verifySince(place: { seq: number; hash: string }, limit: number): VerifyReport {
    const { store } = this.#engine;
    const report = store.read(() => verifyTail(store, place, limit));
    if (!report.ok) keepVerification(this.#engine, report, false);
    return report;
  }

  /** The last verification of the log by anybody, or null when there was none. */
  lastVerification(): LastVerification | null {
    return readLastVerification(this.#engine.rows);
  }

  /** A verified copy of the whole store at one moment, in a new file, while others go on writing. */
  backup(path: string): BackupReport {
    const { store, verifySignature, random } = this.#engine;
    return backupStore(store, path, { verifySignature, random, now: () => this.#engine.now() });
  }
}
