// Group commit: everything asked for in one turn of the event loop shares one transaction, and so one sync to disk.
import { HapError } from "@hap/protocol";

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
  readonly #transact: (batch: () => void) => void;
  readonly #queue: Queued[] = [];
  #running: Queued | null = null;

  /** `transact` runs a batch in one transaction, perhaps several times; it throws if nothing of it was committed. */
  constructor(transact: (batch: () => void) => void) {
    this.#transact = transact;
  }

  /** Queue `work`. Resolves or rejects with its outcome, once that is durable. */
  add<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject, afterCommit: null });
      if (this.#queue.length === 1) setImmediate(() => this.#flush());
    });
  }

  /** Let the command that runs now do something after its commit; false if no batch is running. */
  afterCommit(work: () => void): boolean {
    if (this.#running === null) return false;
    this.#running.afterCommit = work;
    return true;
  }

  #flush(): void {
    const taken: Queued[] = [];
    const outcomes: Settled<unknown>[] = [];
    try {
      this.#transact(() => {
        // A store may run the batch again from its start.
        this.#queue.unshift(...taken.splice(0));
        outcomes.length = 0;
        const started = performance.now();
        while (this.#queue.length > 0 && performance.now() - started < BATCH_MS) {
          const item = this.#queue.shift() as Queued;
          taken.push(item);
          outcomes.push(this.#runOne(item));
        }
      });
    } catch (error) {
      // The transaction itself failed: nothing in it happened.
      for (const item of [...taken, ...this.#queue.splice(0)]) item.reject(error);
      return;
    }
    taken.forEach((item, at) => {
      settle(item, outcomes[at] as Settled<unknown>);
    });
    if (this.#queue.length > 0) setImmediate(() => this.#flush());
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

/** True for an error that refuses a command; false for one that says that the store cannot be written. */
function isRefusal(error: HapError): boolean {
  return (error.kind !== "busy" && error.kind !== "integrity") || error.code === "quota_exceeded";
}
