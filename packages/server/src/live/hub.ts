// One reader of the log for everybody who listens. The newest events are kept ready; who is further behind reads the log
// itself, so that a slow listener costs no memory and misses nothing.
import type { HapEngine } from "@hap/core";
import { isHapError } from "@hap/protocol";
import type { Principal } from "../auth/principal.ts";
import { type LiveEvent, type LiveFilter, textFor, toLive, wants } from "./filter.ts";

/** How many of the newest events are kept ready. */
const KEPT = 1_000;
/** How many events are handed over at once. */
const PAGE = 200;

type Listening = { principal: Principal; filter: LiveFilter; after: string | null; signal: AbortSignal };
type Listener = { principal: Principal; filter: LiveFilter; seq: number; wake: () => void; forked: boolean };

export class Hub {
  readonly #engine: HapEngine;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<Listener>();
  readonly #kept: LiveEvent[] = [];
  #running: Promise<void> | null = null;

  constructor(engine: HapEngine) {
    this.#engine = engine;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Events after a cursor (null: from now on; empty: from the first) as pages, each event once and in order, until the signal aborts or the hub closes. */
  listen(options: Listening): AsyncGenerator<LiveEvent[]> {
    // Now is when this is called: an event between that and the first page that is taken is not missed.
    return this.#listen(options, options.after === null ? this.#engine.head().seq : null);
  }

  async *#listen({ principal, filter, after, signal }: Listening, now: number | null): AsyncGenerator<LiveEvent[]> {
    this.#start();
    const listener: Listener = { principal, filter, seq: now ?? this.#place(after ?? ""), wake: () => {}, forked: false };
    this.#listeners.add(listener);
    const wake = () => listener.wake();
    signal.addEventListener("abort", wake);
    try {
      while (!signal.aborted && !this.#stop.signal.aborted) {
        const woken = new Promise<void>((resolve) => {
          listener.wake = resolve;
        });
        // Its place is in a history that the database has lost: it comes back with its cursor, and is told so.
        if (listener.forked) return;
        const page = this.#after(listener.seq);
        if (page.length === 0) {
          await woken;
          continue;
        }
        listener.seq = page.at(-1)?.event.seq ?? listener.seq;
        const wanted = page.filter((event) => wants(principal, filter, event));
        if (wanted.length > 0) yield wanted;
      }
    } finally {
      signal.removeEventListener("abort", wake);
      this.#listeners.delete(listener);
    }
  }

  #place(after: string): number {
    if (after === "") return 0;
    // Reading one event after the cursor checks that it belongs to this history.
    const [next] = this.#engine.getEvents({ after, limit: 1 });
    return next === undefined ? this.#engine.head().seq : next.seq - 1;
  }

  #after(seq: number): LiveEvent[] {
    const first = this.#kept[0]?.event.seq;
    if (first !== undefined && seq >= first - 1) {
      const from = seq - first + 1;
      return this.#kept.slice(from, from + PAGE);
    }
    return this.#engine.eventsAfterSeq(seq, PAGE).map((event) => toLive(this.#engine, event));
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (!isHapError(error) || error.code !== "cursor_forked") throw error;
        this.#kept.length = 0;
        for (const listener of this.#listeners) {
          listener.forked = true;
          listener.wake();
        }
      }
    }
  }

  /** Read the log until the hub closes; throws `cursor_forked` when it became another one (a failover to a standby that lagged). */
  async #follow(): Promise<void> {
    const after = this.#engine.head().cursor;
    for await (const events of this.#engine.follow({ ...(after === null ? {} : { after }), signal: this.#stop.signal })) {
      const live = events.map((event) => toLive(this.#engine, event));
      // An erasure, or a change of somebody's name, reaches what is kept ready too.
      if (live.some(({ about }) => about === null)) for (const event of this.#kept) event.text = null;
      this.#kept.push(...live);
      this.#kept.splice(0, Math.max(0, this.#kept.length - KEPT));
      for (const listener of this.#listeners)
        if (live.some((event) => wants(listener.principal, listener.filter, event))) listener.wake();
    }
  }

  /** An event as one listener reads it. */
  textFor(principal: Principal, event: LiveEvent): string {
    return textFor(this.#engine, principal, event);
  }

  /** Let everybody go. */
  async close(): Promise<void> {
    this.#stop.abort();
    for (const listener of this.#listeners) listener.wake();
    await this.#running;
  }
}
