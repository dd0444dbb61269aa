// Who waits for which ticket. One look at the log after each ring serves every waiter, and one timer every deadline.
import { type HapEvent, isHapError, ticketIdOf } from "@hap/protocol";
import { readViolation } from "../log/quarantine.ts";
import type { Bell, EventRow, Store } from "../store/store.ts";

/** Longest time that a timer is set for; Node's own limit is near 2^31 ms. */
const LONGEST_TIMER_MS = 3_600_000;
/** How long to wait after a timer has rung, at least. */
const RETRY_MS = 100;
/** When to look again for the earliest deadline if the store cannot be reached. */
const UNREACHABLE_MS = 1_000;
const BATCH = 500;
/** How long after an event the earliest deadline is looked for. */
const REFRESH_MS = 50;
/** The ticket that an event's text concerns; nobody waits for one before its creation. */
const ticketNamed = /"ticket_id":"(tk_[a-z0-9]+)"/;

/** Is told of events, each once and in the order of the log; looks at them only, and never throws. */
export type EventListener = (events: readonly HapEvent[]) => void;

/** Turns rings of the bell into calls for exactly those who wait for what changed. */
export class Feed {
  readonly #store: Store;
  readonly #bell: Bell;
  readonly #now: () => number;
  readonly #applyDue: () => Promise<void>;
  readonly #byTicket = new Map<string, Set<() => void>>();
  readonly #everything = new Set<() => void>();
  readonly #listeners = new Set<EventListener>();
  #seen = 0;
  #stopListening: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;
  #refresh: NodeJS.Timeout | null = null;

  constructor(store: Store, bell: Bell, now: () => number, applyDue: () => Promise<void>) {
    this.#store = store;
    this.#bell = bell;
    this.#now = now;
    this.#applyDue = applyDue;
  }

  /** Call `wake` when this ticket may have changed; returns how to stop. */
  watchTicket(id: string, wake: () => void): () => void {
    const waiters = this.#byTicket.get(id) ?? new Set();
    this.#byTicket.set(id, waiters.add(wake));
    this.#begin();
    return () => {
      waiters.delete(wake);
      if (waiters.size === 0) this.#byTicket.delete(id);
      this.#endIfIdle();
    };
  }

  /** Call `wake` when anything was appended; returns how to stop. */
  watchAll(wake: () => void): () => void {
    this.#everything.add(wake);
    this.#begin();
    return () => {
      this.#everything.delete(wake);
      this.#endIfIdle();
    };
  }

  /** Tell `listen` every event from now on, whoever wrote it; returns how to stop. */
  watchEvents(listen: EventListener): () => void {
    this.#listeners.add(listen);
    this.#begin();
    return () => {
      this.#listeners.delete(listen);
      this.#endIfIdle();
    };
  }

  #begin(): void {
    if (this.#stopListening === null) {
      this.#seen = this.#store.head().seq;
      this.#stopListening = this.#bell.listen(() => this.#look());
    }
    this.#setTimerSoon();
  }

  #endIfIdle(): void {
    if (this.#byTicket.size > 0 || this.#everything.size > 0 || this.#listeners.size > 0) return;
    this.close();
  }

  /** This process has committed: what it wrote need not be read again to know whom it concerns. */
  committed(events: readonly HapEvent[]): void {
    const [first, last] = [events[0], events.at(-1)];
    if (this.#stopListening === null || first === undefined || last === undefined) return;
    if (first.seq === this.#seen + 1) {
      this.#seen = last.seq;
      this.#store.glance(() => {
        this.#tell(events);
        for (const id of new Set(events.map(ticketIdOf))) if (id !== null) this.#wake(id);
      });
      this.#wakeEverybody();
    } else this.#look(); // Others have written in between, and were not heard yet.
  }

  #tell(events: readonly HapEvent[]): void {
    for (const listen of [...this.#listeners]) listen(events);
  }

  #wake(ticketId: string): void {
    const waiters = this.#byTicket.get(ticketId);
    if (waiters !== undefined) for (const wake of [...waiters]) wake();
  }

  #wakeEverybody(): void {
    for (const wake of [...this.#everything]) wake();
    this.#setTimerSoon();
  }

  #look(): void {
    this.#store.glance(() => this.#readOn());
  }

  #readOn(): void {
    // Most rings are our own, heard once more: then there is nothing to read.
    if (this.#store.head().seq === this.#seen) return;
    for (;;) {
      const rows = this.#store.eventsAfter(this.#seen, BATCH);
      // Before anybody is woken: they may write, and what they write is told after this.
      this.#seen = rows.at(-1)?.seq ?? this.#seen;
      if (this.#listeners.size > 0) this.#tell(rows.flatMap(readPayload));
      for (const row of rows) this.#wake(ticketNamed.exec(row.payload)?.[1] ?? "");
      if (rows.length < BATCH) break;
    }
    this.#wakeEverybody();
  }

  /** Deadlines change with every event; looking for the earliest now and then is enough. */
  #setTimerSoon(): void {
    this.#refresh ??= setTimeout(() => {
      this.#refresh = null;
      this.#setTimer();
    }, REFRESH_MS);
  }

  /** One timer for the earliest deadline of the whole store: whoever waits applies what is due. */
  #setTimer(shortest = 0): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const at = this.#nextDue();
    if (at === null) {
      this.#timer = null;
      return;
    }
    const delay = Math.min(Math.max(0, at - this.#now()), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => void this.#ripen(), Math.max(delay, shortest));
  }

  #nextDue(): number | null {
    // In a store that is read-only nothing comes due, and a part of it may be missing.
    const next = () => (readViolation(this.#store) === null ? this.#store.nextDue() : null);
    try {
      return this.#store.peek(next);
    } catch (error) {
      // A database that cannot be reached now is asked again soon.
      if (isHapError(error) && error.code === "store_busy") return this.#now() + UNREACHABLE_MS;
      throw error;
    }
  }

  /** Apply what is due. If that fails, wake the waiters so that each sees the error. */
  async #ripen(): Promise<void> {
    try {
      await this.#applyDue();
      if (this.#stopListening !== null) this.#look();
    } catch (error) {
      if (!isHapError(error)) throw error;
      for (const wake of [...this.#byTicket.values()].flatMap((waiters) => [...waiters])) wake();
    }
    // Something that stays due, in a store that is read-only, is looked at again after a while.
    if (this.#stopListening !== null) this.#setTimer(RETRY_MS);
  }

  /** The log is another one: go on from its end. Waiters look for their tickets, and are told if they are gone. */
  restart(): void {
    if (this.#stopListening === null) return;
    try {
      this.#seen = this.#store.head().seq;
    } catch (error) {
      // The database cannot be reached: each waiter learns that itself.
      if (!isHapError(error)) throw error;
    }
    for (const wake of [...this.#byTicket.values()].flatMap((waiters) => [...waiters])) wake();
    this.#wakeEverybody();
  }

  close(): void {
    this.#stopListening?.();
    this.#stopListening = null;
    for (const timer of [this.#timer, this.#refresh]) if (timer !== null) clearTimeout(timer);
    this.#timer = null;
    this.#refresh = null;
  }
}

/** What is no event any more is for `hap verify` to tell. */
function readPayload({ payload }: EventRow): HapEvent[] {
  try {
    return [JSON.parse(payload)];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
