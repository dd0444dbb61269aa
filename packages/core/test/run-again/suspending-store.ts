// A store that suspends commands as PostgreSQL does: at the n-th read of a transaction it throws `NeedsRead`, undoes everything and
// runs the transaction again. Time stands still, and randomness is drawn again from where the transaction began.
import { NeedsRead } from "../../src/store/needs-read.ts";
import { SqliteReader, type SqliteWriter } from "../../src/store/sqlite/rows.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { OpenedStore, Store, StoreWriter } from "../../src/store/store.ts";
import type { World } from "../../src/transaction/facts.ts";

/** A world whose random bytes follow from a seed, and can be drawn again. */
export type ReplayedWorld = World & { position: number; time: number };

/** A world that starts at a fixed moment. */
export function replayedWorld(seed: number, time: number): ReplayedWorld {
  const world: ReplayedWorld = {
    position: 0,
    time,
    now: () => world.time,
    uptime: () => world.time - 1_000_000_000,
    random: (bytes) => {
      for (let at = 0; at < bytes.length; at++) bytes[at] = mix(seed, world.position++) & 0xff;
      return bytes;
    },
  };
  return world;
}

function mix(seed: number, position: number): number {
  let value = Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(position + 1, 0xc2b2ae35);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39);
  return (value ^ (value >>> 15)) >>> 0;
}

/** Which runs of a transaction are suspended, each at which read, and what happens meanwhile. */
export type Suspensions = { at: readonly number[]; meanwhile?: (() => void) | undefined };

const READS = new Set(namesOf(SqliteReader.prototype));

function namesOf(prototype: object | null): string[] {
  if (prototype === null || prototype === Object.prototype) return [];
  return [...Object.getOwnPropertyNames(prototype), ...namesOf(Object.getPrototypeOf(prototype))].filter(
    (name) => name !== "constructor",
  );
}

/** A store that can be told to suspend. */
export class SuspendingStore {
  /** What to do with the next transactions. */
  suspensions: Suspensions = { at: [] };
  /** How many reads the longest run of a transaction made since this was set to 0. */
  reads = 0;
  /** How many transactions were suspended. */
  suspended = 0;
  readonly #inner: SqliteStore;
  readonly #world: ReplayedWorld;

  constructor(path: string, world: ReplayedWorld) {
    this.#inner = new SqliteStore({ path });
    this.#world = world;
  }

  /** As an engine takes it. Nobody listens to its bell. */
  opened(): OpenedStore {
    const inner = this.#inner;
    const store = new Proxy(inner, {
      get: (_, name) => {
        if (name === "write") return this.#write;
        const value = Reflect.get(inner, name, inner);
        return typeof value === "function" ? value.bind(inner) : value;
      },
    }) as unknown as Store;
    return { store, bell: { ring: () => {}, listen: () => () => {}, close: () => {} } };
  }

  readonly #write = <T>(work: (rows: StoreWriter) => T): T => {
    const { position } = this.#world;
    for (;;) {
      this.#world.position = position;
      const [next = Number.POSITIVE_INFINITY, ...later] = this.suspensions.at;
      const counter = { left: next, reads: 0, thrown: false };
      try {
        return this.#inner.write((rows) => {
          // As PostgreSQL's copy does: each command of a batch is suspended by itself.
          (rows as SqliteWriter).begin(true);
          const value = work(counted(rows, counter));
          if (counter.thrown) throw new Error("The command caught NeedsRead: only the store may.");
          return value;
        });
      } catch (error) {
        if (!(error instanceof NeedsRead)) throw error;
        const { meanwhile } = this.suspensions;
        // What a short transaction does not reach, the next one of the command does.
        this.suspensions = { at: later };
        this.suspended++;
        meanwhile?.();
      } finally {
        this.reads = Math.max(this.reads, counter.thrown ? 0 : counter.reads);
      }
    }
  };
}

/** Rows whose n-th read throws the signal that rows are missing. */
export function counted(
  rows: StoreWriter,
  counter: { left: number; reads: number; thrown: boolean },
  signal: (key: string) => NeedsRead = (key) => new NeedsRead(key),
): StoreWriter {
  return new Proxy(rows, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (!READS.has(String(name))) return value.bind(target);
      return (...args: unknown[]) => {
        counter.reads++;
        if (--counter.left === 0) {
          counter.thrown = true;
          throw signal(String(name));
        }
        return value.apply(target, args);
      };
    },
  });
}
