// Group commit: everything asked for in one turn of the event loop shares one transaction, and so one sync to disk.
import { HapError } from "@hap/protocol";
import { NeedsRead } from "../store/needs-read.ts";

/** How a command ended: with a value, or with an error. */
export type Settled<T> = { value: T } | { error: unknown };

/** How long a batch may hold the write lock before it commits. */
const BATCH_MS = 20;

type Queued = {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** Runs once the batch is durable; its error is the command's. */
  afterCommit: (() => void) | null;
};

/** Runs queued commands in shared transactions. Each promise settles once its transaction is durable. */
export class GroupCommit {
  readonly #transact: (batch: () => void) => void | Promise<void>;
  readonly #most: number;
  readonly #queue: Queued[] = [];
  #running: Queued | null = null;
  /** True from when a batch is planned until it is durable: a store across a network has one batch under way. */
  #planned = false;

  /**
   * `transact` runs a batch in one transaction, perhaps several times; it throws if nothing of it was committed. At most `most`
   * commands wait: whoever comes then is told at once, instead of waiting for an answer that comes too late.
   */
  constructor(transact: (batch: () => void) => void | Promise<void>, most = Number.POSITIVE_INFINITY) {
    this.#transact = transact;
    this.#most = most;
  }

  /** Queue `work`. Resolves or rejects with its outcome, once that is durable. */
  add<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#queue.length >= this.#most) throw full(this.#most);
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject, afterCommit: null });
      this.#plan();
    });
  }

  /** Let the command that runs now do something after its commit; false if no batch is running. */
  afterCommit(work: () => void): boolean {
    if (this.#running === null) return false;
    this.#running.afterCommit = work;
    return true;
  }

  #plan(): void {
    if (this.#planned || this.#queue.length === 0) return;
    this.#planned = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    const taken: Queued[] = [];
    const outcomes: Settled<unknown>[] = [];
    const committed = () => {
      taken.forEach((item, at) => {
        settle(item, outcomes[at] as Settled<unknown>);
      });
      this.#planned = false;
      this.#plan();
    };
    const failed = (error: unknown) => {
      // The transaction itself failed: nothing in it happened.
      for (const item of [...taken, ...this.#queue.splice(0)]) item.reject(error);
      this.#planned = false;
    };
    try {
      const pending = this.#transact(() => this.#runAll(taken, outcomes));
      if (pending === undefined) committed();
      else pending.then(committed, failed);
    } catch (error) {
      failed(error);
    }
  }

  #runAll(taken: Queued[], outcomes: Settled<unknown>[]): void {
    // A store may run the batch again from its start.
    this.#queue.unshift(...taken.splice(0));
    outcomes.length = 0;
    const missing: NeedsRead[] = [];
    const started = performance.now();
    while (this.#queue.length > 0 && performance.now() - started < BATCH_MS) {
      const item = this.#queue.shift() as Queued;
      taken.push(item);
      try {
        outcomes.push(this.#runOne(item));
      } catch (error) {
        // The others run on only to find out what they need too: all of it is fetched at once, and the batch runs again.
        if (!(error instanceof NeedsRead)) throw error;
        missing.push(error);
      }
    }
    const [first, ...others] = missing;
    if (first !== undefined) throw first.joined(others);
  }

  #runOne(item: Queued): Settled<unknown> {
    item.afterCommit = null;
    this.#running = item;
    try {
      return attempt(item.work);
    } finally {
      this.#running = null;
    }
  }
}

function full(most: number): HapError {
  return new HapError("overloaded", `${most} calls wait already, which is the most. Nothing was done; try again in a moment.`, {
    limit: most,
    retry_after_seconds: 1,
  });
}

function settle(item: Queued, outcome: Settled<unknown>): void {
  try {
    item.afterCommit?.();
  } catch (error) {
    item.reject(error);
    return;
  }
  if ("error" in outcome) item.reject(outcome.error);
  else item.resolve(outcome.value);
}

/** Catch the error of a command, so that it is thrown after the commit. A broken disk, lock or log ends the transaction. */
export function attempt<T>(work: () => T): Settled<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof HapError && isRefusal(error)) return { error };
    throw error;
  }
}

/** Refusals of one command among those that may succeed later. */
const REFUSALS: ReadonlySet<string> = new Set(["quota_exceeded", "database_read_only"]);

/** True for an error that refuses a command; false for one that says that the store cannot be written. */
function isRefusal(error: HapError): boolean {
  return (error.kind !== "busy" && error.kind !== "integrity") || REFUSALS.has(error.code);
}
