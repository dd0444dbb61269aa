// The one way to write (D39): opens a transaction, applies due leases, runs a command, commits, and tells the waiters.
// Engines of one process can share a runner: what they ask for in one turn of the event loop goes to disk with one sync.
import { statSync } from "node:fs";
import { HapError, type HapEvent, type TrustClass } from "@hap/protocol";
import { checkOnOpen } from "../log/check-on-open.ts";
import { importPending, importRows } from "../log/import-rows.ts";
import { quarantineLayout, readViolation } from "../log/quarantine.ts";
import { nameError } from "../people/people.ts";
import type { Bell, OpenedStore, Store, StoreReader, StoreWriter } from "../store/store.ts";
import { Feed } from "../waiting/feed.ts";
import { Names, type World } from "./facts.ts";
import { attempt, GroupCommit, type Settled } from "./group-commit.ts";
import { Refused } from "./refused.ts";
import { Session } from "./session.ts";

/** What a runner needs beside its store. */
export type RunnerOptions = { world: World; trust: TrustClass };

/** Runs commands on one open store. */
export class Runner {
  readonly store: Store;
  readonly feed: Feed;
  readonly #world: World;
  readonly #names: Names;
  readonly #trust: TrustClass;
  readonly #bell: Bell;
  readonly #batches: GroupCommit;
  #session: Session | null = null;
  #users = 1;
  #close = () => {};

  constructor({ store, bell, mostQueued }: OpenedStore, { world, trust }: RunnerOptions) {
    this.#world = world;
    this.#names = new Names(world);
    this.#trust = trust;
    this.store = store;
    this.#bell = bell;
    this.feed = new Feed(store, bell, world.now, () => this.#applyDue());
    this.#batches = new GroupCommit((batch) => {
      if (store.writeLater === undefined) return this.#transact(() => ({ value: batch() }));
      return this.#transactLater(batch);
    }, mostQueued);
    store.onLost?.(() => {
      this.feed.restart();
      // If nothing can be written now, the next command begins the epoch.
      this.later(() => {}).catch(() => {});
    });
    try {
      checkOnOpen(store);
      if (importPending(store) && readViolation(store) === null) this.#transact((session) => ({ value: importRows(session) }));
    } catch (error) {
      store.close();
      throw error;
    }
  }

  /** The runner of this path that others in this process have open, or a new one that they may share. */
  static shared(path: string, key: string, open: () => Runner): Runner {
    const known = shared.get(key);
    // A file that was replaced since is another store.
    if (known !== undefined && known.file === fileOf(path)) {
      known.runner.#users++;
      return known.runner;
    }
    const runner = open();
    const entry = { runner, file: fileOf(path) };
    shared.set(key, entry);
    runner.#close = () => {
      if (shared.get(key) === entry) shared.delete(key);
    };
    return runner;
  }

  /** The rows as the open transaction sees them, or as they are committed. */
  get rows(): StoreReader {
    return this.#session?.tx ?? this.store;
  }

  /** Run one command in one transaction; inside a batch it joins the transaction that is open. */
  run<T>(command: (session: Session) => T | Refused): T {
    const joined = this.#session;
    const result =
      joined !== null
        ? joined.attempt(() => withNames(joined, command))
        : // When leases were applied first, an error undoes the command alone; otherwise the whole transaction.
          this.#transact((session) =>
            session.wrote
              ? attempt(() => session.attempt(() => withNames(session, command)))
              : { value: withNames(session, command) },
          );
    if (result instanceof Refused) throw result.error;
    return result;
  }

  /** Write rows that are not derived from events, also in a store whose log does not verify. Applies no leases. */
  write<T>(work: (rows: StoreWriter, now: number) => T): T {
    const joined = this.#session;
    if (joined !== null) return joined.attempt(() => work(joined.tx, joined.now));
    return this.store.write((rows) => work(rows, this.#world.now()));
  }

  /** Open a transaction and apply due leases. An error that `work` returns is thrown after the commit. */
  #transact<T>(work: (session: Session) => Settled<T>): T {
    const { run, committed } = this.#transaction(work);
    const outcome = this.store.write(run);
    committed();
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  /** The same without blocking, for a store across a network. */
  async #transactLater(batch: () => void): Promise<void> {
    const { run, committed } = this.#transaction(() => ({ value: batch() }));
    await this.store.writeLater?.(run, committed);
  }

  #transaction<T>(work: (session: Session) => Settled<T>): { run: (rows: StoreWriter) => Settled<T>; committed: () => void } {
    let events: readonly HapEvent[] = [];
    return {
      run: (rows) => {
        const session = new Session(rows, this.#world, this.#names, this.#trust);
        this.#session = session;
        try {
          if (this.store.readOnly !== true) {
            session.leaveEpoch(this.store.lostEpoch ?? 0);
            session.sweep();
          }
          const result = work(session);
          events = session.appended;
          return result;
        } finally {
          this.#session = null;
        }
      },
      committed: () => {
        if (events.length === 0) return;
        this.#bell.ring();
        this.feed.committed(events);
      },
    };
  }

  /** Run `work`, which calls commands and queries, in a transaction shared with everything else of this turn. */
  later<T>(work: () => T): Promise<T> {
    return this.#batches.add(work);
  }

  /** Do something once the running batch is durable, or at once if none is running. Its error is that of the command. */
  afterCommit(work: () => void): void {
    if (!this.#batches.afterCommit(work)) work();
  }

  /** Apply leases that are due now; looks without a lock first. */
  applyDueLeases(): void {
    if (this.#session !== null) return;
    try {
      while (readViolation(this.store) === null && this.store.anyDue(this.#world.now())) {
        if (this.#transact((session) => ({ value: session.sweep() })) === 0) return;
      }
    } catch (error) {
      if (!quarantineLayout(this, error)) throw error;
    }
  }

  /** What the feed does when a lease has ended: across a network, without blocking. Every transaction applies what is due. */
  async #applyDue(): Promise<void> {
    if (this.store.writeLater === undefined) this.applyDueLeases();
    else if (readViolation(this.store) === null) await this.later(() => {});
  }

  /** One user less. The last one closes the store. */
  release(): void {
    this.#users--;
    if (this.#users > 0) return;
    this.#close();
    this.feed.close();
    this.#bell.close();
    this.store.close();
  }
}

/** Run a command; its error names people instead of their handles, while the transaction can still be read. */
function withNames<T>(session: Session, command: (session: Session) => T | Refused): T | Refused {
  try {
    const result = command(session);
    return result instanceof Refused ? new Refused(nameError(session.tx, result.error)) : result;
  } catch (error) {
    throw error instanceof HapError ? nameError(session.tx, error) : error;
  }
}

const shared = new Map<string, { runner: Runner; file: string }>();

function fileOf(path: string): string {
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${dev}:${ino}`;
}
