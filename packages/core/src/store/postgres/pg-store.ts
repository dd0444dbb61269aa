// A space in PostgreSQL behind the store's port (D42). Its synchronous methods block on a connection of their own; `writeLater` and
// `look` wait without blocking. Whatever is answered was confirmed by the database in the same call.
import { HapError } from "@hap/protocol";
import type { Pool } from "pg";
import type { Store, StoreReader, StoreWriter } from "../store.ts";
import { Bridge } from "./bridge.ts";
import { CheckedReader } from "./checked-rows.ts";
import { DatabaseClock } from "./clock.ts";
import { ClockWitness } from "./clock-witness.ts";
import { withClient } from "./connect-client.ts";
import { copyToSqlite } from "./copy-space.ts";
import { driveLater, driveNow } from "./drive.ts";
import { translatePg, withoutPassword } from "./errors.ts";
import { LocalCopy } from "./local-copy.ts";
import { OLDEST, PG_SCHEMA } from "./migrate-schema.ts";
import { READS } from "./needs.ts";
import { Scanner } from "./scanner.ts";
import { SpaceLink, type Steps } from "./space-link.ts";

/** How a space is opened. The pool, the blocking connection and the clock's witness are shared by the spaces of a node. */
export type PgStoreOptions = {
  url: string;
  space: string;
  pool: Pool;
  bridge?: Bridge | undefined;
  witness?: ClockWitness | undefined;
  /** How many calls may wait for a connection of the pool before writes are refused. */
  mostWaiting?: number | undefined;
};

/** Reads on a copy, over one blocking connection. */
class PgReader {
  readonly path: string;
  readonly space: string;
  readonly clock: DatabaseClock;
  protected readonly url: string;
  protected readonly bridge: Bridge;
  protected readonly link: SpaceLink;
  protected readonly scanner: Scanner;
  protected readonly reader: StoreReader;
  /** Above 0 while several reads share one look at the version. */
  protected pins = 0;
  readonly #ownBridge: boolean;

  constructor(url: string, space: string, shared: { bridge?: Bridge | undefined; witness?: ClockWitness | undefined } = {}) {
    this.url = url;
    this.space = space;
    this.path = withoutPassword(url);
    this.#ownBridge = shared.bridge === undefined;
    this.bridge = shared.bridge ?? new Bridge(url);
    const copy = new LocalCopy(space, this.path);
    this.clock = new DatabaseClock(shared.witness ?? new ClockWitness(), () => copy.headAt);
    this.scanner = new Scanner((sql, values) => this.ask(sql, values), space);
    this.link = new SpaceLink(copy, { clock: this.clock, scanner: this.scanner, space, path: this.path });
    this.reader = new CheckedReader(this.link.guard, this.scanner, space, () => this.#schemaProblem());
  }

  protected ask(sql: string, values: unknown[] = []): unknown[][] {
    try {
      return this.bridge.query(sql, values);
    } catch (error) {
      throw translatePg(error, this.path);
    }
  }

  protected now<T>(steps: Steps<T>): T {
    return driveNow(steps, this.bridge, this.path);
  }

  /** Run one read. Inside a transaction it sees what that has written, and its missing rows are the transaction's. */
  protected one<T>(work: () => T): T {
    if (this.link.inside) return work();
    return this.now(this.link.query(work, this.pins === 0));
  }

  /** Run reads after one look at the version. */
  protected pinned<T>(work: () => T, look: boolean): T {
    if (this.link.inside || this.pins > 0) return work();
    if (look || this.link.copy.version < 0) this.now(this.link.refresh());
    this.pins++;
    try {
      return work();
    } finally {
      this.pins--;
    }
  }

  #schemaProblem(): string | null {
    const [row] = this.ask("SELECT max(version) FROM hap.migrations");
    const version = Number(row?.[0] ?? 0);
    const serves = version === PG_SCHEMA || (version > PG_SCHEMA && Number(this.ask(OLDEST, [version])[0]?.[0]) <= PG_SCHEMA);
    return serves ? null : `the database has schema ${version}, not ${PG_SCHEMA}`;
  }

  close(): void {
    if (this.#ownBridge) this.bridge.close();
    this.link.copy.close();
  }
}

for (const name of Object.keys(READS)) {
  Object.defineProperty(PgReader.prototype, name, {
    value(this: { one: PgReader["close"]; reader: StoreReader } & PgReader, ...args: unknown[]) {
      const call = () => (this as unknown as { reader: Record<string, (...args: unknown[]) => unknown> }).reader[name]?.(...args);
      return (this as unknown as { one: (work: () => unknown) => unknown }).one(call);
    },
  });
}

const Reader = PgReader as unknown as new (...args: ConstructorParameters<typeof PgReader>) => PgReader & StoreReader;

/** One state of a space, on a connection of its own. */
class PgSnapshot extends Reader {
  begin(): this {
    this.ask("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    this.now(this.link.refresh());
    this.pins = 1;
    return this;
  }
}

/** A space in PostgreSQL. */
export class PgStore extends Reader implements Store {
  readonly #pool: Pool;
  readonly #mostWaiting: number;

  constructor({ url, space, pool, bridge, witness, mostWaiting = Number.POSITIVE_INFINITY }: PgStoreOptions) {
    super(url, space, { bridge, witness });
    this.#pool = pool;
    this.#mostWaiting = mostWaiting;
  }

  write<T>(work: (tx: StoreWriter) => T): T {
    return this.now(this.link.transact(work));
  }

  async writeLater<T>(work: (tx: StoreWriter) => T, then: (result: T) => void): Promise<void> {
    const { link } = this;
    if (this.#pool.waitingCount >= this.#mostWaiting) throw poolFull(this.path, this.#mostWaiting);
    const pins = { add: (by: number) => (this.pins += by) };
    const steps = function* (): Steps<void> {
      const result = yield* link.transact(work);
      pins.add(1);
      try {
        then(result);
      } finally {
        pins.add(-1);
      }
    };
    return driveLater(steps(), this.#pool, this.path);
  }

  /** Look, without blocking, whether others have committed; then call `then`, whose reads need not look again. */
  async look(then: () => void): Promise<void> {
    const { link } = this;
    const steps = function* (): Steps<void> {
      yield* link.refresh();
    };
    await driveLater(steps(), this.#pool, this.path);
    this.pins++;
    try {
      then();
    } finally {
      this.pins--;
    }
  }

  get readOnly(): boolean {
    return this.link.refusal !== null;
  }

  get lostEpoch(): number {
    return this.link.lostEpoch;
  }

  onLost(listener: () => void): void {
    // Not at once: the copy is being replaced.
    this.link.onLost = () => setImmediate(listener);
  }

  /** Commits of this node that lost a race, since it was opened. */
  get losses(): number {
    return this.link.losses;
  }

  glance<T>(work: () => T): T {
    return this.pinned(work, true);
  }

  peek<T>(work: () => T): T {
    return this.pinned(work, false);
  }

  read<T>(work: () => T): T {
    if (this.link.inside || this.pins > 0) return work();
    this.ask("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    try {
      return this.pinned(work, true);
    } finally {
      this.ask("ROLLBACK");
    }
  }

  snapshot(): PgSnapshot {
    const snapshot = new PgSnapshot(this.url, this.space);
    try {
      return snapshot.begin();
    } catch (error) {
      snapshot.close();
      throw error;
    }
  }

  readonly erasurePending =
    "No reader gets it any more. Its bytes leave PostgreSQL's files when its table is vacuumed, which was started now if the database user owns it, and when the write-ahead log is recycled. Backups of the database keep it until they are deleted.";

  /** Start the vacuum that frees the bytes of deleted texts. It waits for readers, so nobody waits for it. */
  scrub(): void {
    withClient(this.url, (client) => client.query("VACUUM hap.contents")).catch(() => {
      // Not now, or not by this user: PostgreSQL vacuums by itself, and the report says that it is to come.
    });
  }

  copyTo(path: string): Store {
    return this.read(() => copyToSqlite(this.link.copy, this.scanner, path, this.space));
  }
}

function poolFull(path: string, most: number): HapError {
  return new HapError(
    "overloaded",
    `${most} calls wait for a connection to ${path}, which is the most. Nothing was done; try again in a moment.`,
    { limit: most, retry_after_seconds: 1 },
  );
}
