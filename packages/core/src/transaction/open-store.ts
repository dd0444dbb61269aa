// One open store in this process: its connection, the one transaction, the group commit, and the bell. Clients of one process
// that say so share it: what they ask for in one turn of the event loop goes to disk with one sync.
import { statSync } from "node:fs";
import { HapError, type HapEvent, type TrustClass } from "@hap/protocol";
import { checkOnOpen } from "../log/check-on-open.ts";
import { importPending, importRows } from "../log/import-rows.ts";
import { quarantineLayout, readViolation } from "../log/quarantine.ts";
import { nameError } from "../people/people.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { Feed } from "../waiting/feed.ts";
import { Bell } from "../waiting/wake.ts";
import { Names, type World } from "./facts.ts";
import { attempt, GroupCommit, type Outcome } from "./group-commit.ts";
import { Session } from "./session.ts";

/** How a store is opened. */
export type OpenStoreOptions = {
  path: string;
  world: World;
  trust: TrustClass;
  busyMs?: number | undefined;
  fileSystemType?: ((folder: string) => number) | undefined;
};

export class OpenStore {
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

  constructor({ path, world, trust, busyMs, fileSystemType }: OpenStoreOptions) {
    this.#world = world;
    this.#names = new Names(world);
    this.#trust = trust;
    this.store = new SqliteStore({ path, busyMs, ...(fileSystemType === undefined ? {} : { fileSystemType }) });
    this.#bell = new Bell(path);
    this.feed = new Feed(this.store, this.#bell, world.now, () => this.applyDueLeases());
    this.#batches = new GroupCommit(
      (batch) => this.#transact(() => ({ value: batch() })),
      (error) => this.#named(error),
    );
    try {
      checkOnOpen(this.store);
      if (importPending(this.store) && readViolation(this.store) === null)
        this.#transact((session) => ({ value: importRows(session) }));
    } catch (error) {
      this.store.close();
      throw error;
    }
  }

  /** The store of this path that others in this process have open, or a new one that they may share. */
  static shared(options: OpenStoreOptions): OpenStore {
    const key = `${options.trust} ${options.busyMs} ${options.path}`;
    const known = sharedStores.get(key);
    // A file that was replaced since is another store.
    if (known !== undefined && known.file === fileOf(options.path)) {
      known.open.#users++;
      return known.open;
    }
    const open = new OpenStore(options);
    const entry = { open, file: fileOf(options.path) };
    sharedStores.set(key, entry);
    open.#close = () => {
      if (sharedStores.get(key) === entry) sharedStores.delete(key);
    };
    return open;
  }

  /** One command in one transaction; inside a batch it joins the transaction that is open. */
  run<T>(work: (session: Session) => T): T {
    const joined = this.#session;
    if (joined !== null) return joined.attempt(() => work(joined));
    // When leases were applied first, only the command is undone by its error; otherwise the whole transaction is.
    return this.#transact((session) =>
      session.wrote ? attempt(() => session.attempt(() => work(session))) : { value: work(session) },
    );
  }

  /** Open a transaction and apply what is due. An error that `work` returns is thrown after the commit. */
  #transact<T>(work: (session: Session) => Outcome<T>): T {
    try {
      let events: readonly HapEvent[] = [];
      const outcome = this.store.write((tx) => {
        const session = new Session(tx, this.#world, this.#names, this.#trust);
        this.#session = session;
        try {
          session.sweep();
          const result = work(session);
          events = session.appended;
          return result;
        } finally {
          this.#session = null;
        }
      });
      if (events.length > 0) {
        this.#bell.ring();
        this.feed.committed(events);
      }
      if ("error" in outcome) throw outcome.error;
      return outcome.value;
    } catch (error) {
      throw this.#named(error);
    }
  }

  #named(error: unknown): unknown {
    return error instanceof HapError ? nameError(this.store, error) : error;
  }

  /** Run `work` in a transaction shared with everything else that was asked for in this turn of the event loop. */
  later<T>(work: () => T): Promise<T> {
    return this.#batches.add(work);
  }

  /** Apply leases that are due now; a look without a lock comes first. */
  applyDueLeases(): void {
    if (this.#session !== null) return;
    try {
      while (readViolation(this.store) === null && this.store.anyDue(this.#world.now())) {
        if (this.#transact((session) => ({ value: session.sweep() })) === 0) return;
      }
    } catch (error) {
      if (!quarantineLayout(this.store, error)) throw error;
    }
  }

  /** One user less; with the last one the store is closed. */
  release(): void {
    this.#users--;
    if (this.#users > 0) return;
    this.#close();
    this.feed.close();
    this.#bell.close();
    this.store.close();
  }
}

const sharedStores = new Map<string, { open: OpenStore; file: string }>();

function fileOf(path: string): string {
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${dev}:${ino}`;
}
