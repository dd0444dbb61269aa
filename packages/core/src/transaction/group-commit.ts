// Group commit: whatever was asked for in one turn of the event loop shares one transaction, and so one sync to disk.
import { HapError } from "@hap/protocol";

/** What became of a command: its value, or the error that it ended with. */
export type Outcome<T> = { value: T } | { error: unknown };

/** How long a batch may hold the write lock before it commits. */
const BATCH_MS = 20;

type Queued = { work: () => unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void };

/** Runs what is queued in shared transactions; nobody is told before theirs is durable. */
export class GroupCommit {
  readonly #transact: (batch: () => void) => void;
  readonly #named: (error: unknown) => unknown;
  readonly #queue: Queued[] = [];

  /** `transact` runs a batch in one transaction, and throws when nothing of it happened; `named` names people in an error. */
  constructor(transact: (batch: () => void) => void, named: (error: unknown) => unknown) {
    this.#transact = transact;
    this.#named = named;
  }

  /** Queue `work`; resolves or rejects with what it ended with, once that is durable. */
  add<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (this.#queue.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const done: { item: Queued; outcome: Outcome<unknown> }[] = [];
    const taken: Queued[] = [];
    try {
      this.#transact(() => {
        const started = performance.now();
        while (this.#queue.length > 0 && performance.now() - started < BATCH_MS) {
          const item = this.#queue.shift() as Queued;
          taken.push(item);
          done.push({ item, outcome: attempt(item.work) });
        }
      });
    } catch (error) {
      // The transaction itself failed: nothing in it happened, and nobody is told otherwise.
      for (const item of [...taken, ...this.#queue.splice(0)]) item.reject(error);
      return;
    }
    for (const { item, outcome } of done) {
      if ("error" in outcome) item.reject(this.#named(outcome.error));
      else item.resolve(outcome.value);
    }
    if (this.#queue.length > 0) setImmediate(() => this.#flush());
  }
}

/** Errors of a command travel past the commit; a broken disk, lock or log does not. */
export function attempt<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof HapError && error.kind !== "busy" && error.kind !== "integrity") return { error };
    if (error instanceof HapError && error.code === "quota_exceeded") return { error };
    throw error;
  }
}
