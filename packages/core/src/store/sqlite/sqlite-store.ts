// The embedded store: one SQLite file, many processes. One writer at a time, and every write sees the newest head.
import { DatabaseSync } from "node:sqlite";
import { DEFAULT_SPACE, HapError } from "@hap/protocol";
import { NeedsRead } from "../needs-read.ts";
import type { Store, StoreWriter } from "../store.ts";
import { SCHEMA_VERSION } from "./migrations.ts";
import { Mirror } from "./mirror.ts";
import { type OpenOptions, openDatabase, userVersion } from "./open.ts";
import { BUSY_LIMIT_MS } from "./retry-busy.ts";
import { SqliteReader, SqliteWriter } from "./rows.ts";
import { Statements } from "./statements.ts";

/** One state of the file, on a connection of its own. */
class Snapshot extends SqliteReader {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync, statements: Statements, mirror: Mirror, space: string) {
    super(statements, mirror, space);
    this.#database = database;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** The default store. */
export class SqliteStore extends SqliteReader implements Store {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #writer: SqliteWriter;
  readonly #busyMs: number;

  constructor(options: OpenOptions) {
    const { space = DEFAULT_SPACE, busyMs = BUSY_LIMIT_MS } = options;
    const database = openDatabase({ ...options, busyMs });
    const statements = new Statements(database, options.path, busyMs);
    const mirror = new Mirror(statements);
    super(statements, mirror, space);
    this.path = options.path;
    this.#busyMs = busyMs;
    this.#database = database;
    this.#writer = new SqliteWriter(statements, mirror, space);
  }

  write<T>(work: (tx: StoreWriter) => T): T {
    const { result } = this.#transact(work, false) ?? (this.#transact(work, true) as { result: T });
    return result;
  }

  /** One transaction; null if it was rolled back because a part of it must be undone and there were no savepoints. */
  #transact<T>(work: (tx: StoreWriter) => T, savepoints: boolean): { result: T } | null {
    this.sql.get("BEGIN IMMEDIATE").run();
    this.#writer.begin(savepoints);
    try {
      return this.mirror.pinned(() => {
        this.#assertSchema();
        const result = work(this.#writer);
        if (this.#writer.spoiled) return this.#undo();
        this.#writer.saveCounts();
        this.sql.get("COMMIT").run();
        return { result };
      }, true);
    } catch (error) {
      this.#undo();
      if (this.#writer.spoiled && !(error instanceof NeedsRead)) return null;
      throw error;
    }
  }

  #undo(): null {
    this.mirror.clear();
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    return null;
  }

  read<T>(work: () => T): T {
    if (this.#database.isTransaction) return work();
    this.sql.get("BEGIN").run();
    try {
      return this.mirror.pinned(work, true);
    } finally {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    }
  }

  snapshot(): Snapshot {
    const database = new DatabaseSync(this.path, { readOnly: true, timeout: 0 });
    try {
      const statements = new Statements(database, this.path, this.#busyMs);
      statements.fresh("BEGIN").run();
      const snapshot = new Snapshot(database, statements, new Mirror(statements), this.space);
      // The first read fixes the state that is seen from here on.
      snapshot.head();
      return snapshot;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  glance<T>(work: () => T): T {
    return this.mirror.pinned(work);
  }

  peek<T>(work: () => T): T {
    return this.glance(work);
  }

  /** Every write re-reads the schema's number: a process from before an upgrade must not write (D22). */
  #assertSchema(): void {
    this.mirror.schema ??= userVersion(this.sql);
    const version = this.mirror.schema;
    if (version === SCHEMA_VERSION) return;
    throw new HapError(
      "upgrade_needed",
      `${this.path} was upgraded to schema ${version} while this process ran with ${SCHEMA_VERSION}. Restart it with the new HAP.`,
      {
        path: this.path,
        version,
      },
    );
  }

  /** `secure_delete` has zeroed the pages; a truncating checkpoint takes their old images out of the log file too. */
  scrub(): void {
    this.sql.attempt(() => {
      const { busy } = this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
      if (busy !== 0) throw Object.assign(new Error("a reader is in the way of the checkpoint"), { errcode: 5 });
    });
  }

  /** One read transaction on a log of writes: it waits for nobody, and pages that were freed are not copied. */
  copyTo(path: string): SqliteStore {
    this.sql.attempt(() => this.#database.prepare("VACUUM INTO ?").run(path));
    return new SqliteStore({ path, space: this.space });
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}
