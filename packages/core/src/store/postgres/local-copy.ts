// A node's partial copy of a space, in SQLite in memory, so that every statement of the embedded store is used again (D42). Rows in
// it are those of one version; what it lacks is fetched. It holds nothing that the database does not have.
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "../sqlite/migrations.ts";
import { Mirror } from "../sqlite/mirror.ts";
import { SqliteWriter } from "../sqlite/rows.ts";
import { type List, Statements } from "../sqlite/statements.ts";
import { readChangeset } from "./changeset.ts";
import { type ChangedKey, TABLE, TABLES, type TableShape, type WireRow, type WireRows } from "./tables.ts";

/** What changed since a version, or the whole space. */
export type Delta = {
  version: number;
  batch: string;
  head_at: number;
  keys?: ChangedKey[];
  rows?: WireRows;
  load?: WireRows;
};
/** What a transaction did to the rows. `clear` and `forget` are deletions by a condition. */
export type Changes = {
  put: WireRows;
  del: WireRows;
  clear?: string[];
  forget_requests?: number;
};

/** Characters of rows beyond which a copy is loaded again, without what was fetched on the way. */
const HEAVY = 256_000_000;

/** The rows of one space at one version. */
export class LocalCopy {
  readonly rows: SqliteWriter;
  readonly mirror: Mirror;
  /** Tickets whose texts are all here, and agents whose messages are. */
  readonly texts = new Set<number>();
  readonly agents = new Set<string>();
  /** Keys of which it is known that no row has them, and lists that were fetched, up to how many rows. Both hold for one version. */
  readonly absent = new Set<string>();
  readonly lists = new Map<string, number>();
  version = -1;
  batch = "";
  headAt = 0;
  headSeq = 0;
  readonly #database = new DatabaseSync(":memory:");
  readonly #statements: Statements;
  #weight = 0;

  constructor(space: string, path: string) {
    for (const migration of MIGRATIONS) this.#database.exec(migration);
    this.#database.exec("DROP TRIGGER events_not_changed; DROP TRIGGER events_not_deleted; PRAGMA temp_store=MEMORY");
    this.#statements = new Statements(this.#database, path, 0);
    this.mirror = new Mirror(this.#statements);
    this.rows = new SqliteWriter(this.#statements, this.mirror, space);
  }

  /** Run `work` in a transaction that is always undone, and return what it changed. */
  attempt<T>(work: (rows: SqliteWriter) => T): { result: T; put: WireRows; del: WireRows; keys: ChangedKey[] } {
    const session = this.#database.createSession();
    this.#database.exec("BEGIN");
    try {
      const result = this.mirror.pinned(() => {
        const done = work(this.rows);
        this.rows.saveCounts();
        return done;
      });
      return { result, ...this.#collect(session.changeset()) };
    } finally {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      session.close();
      this.mirror.clear();
    }
  }

  #collect(changeset: Uint8Array): { put: WireRows; del: WireRows; keys: ChangedKey[] } {
    const put: WireRows = {};
    const del: WireRows = {};
    const keys: ChangedKey[] = [];
    for (const { table: name, key } of readChangeset(changeset)) {
      const table = TABLE.get(name) as TableShape;
      const row = this.#statements.get(selectOne(table)).get(...key);
      const wireKey = key.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value));
      keys.push([name, ...wireKey]);
      if (row !== undefined) add(put, name, toWire(table, row));
      else add(del, name, Object.fromEntries(table.key.map((column, at) => [column, wireKey[at] ?? null])));
    }
    return { put, del, keys };
  }

  /** Take up what others have committed. */
  follow(delta: Delta): void {
    if (delta.load !== undefined) this.#load(delta.load);
    else this.#change(delta.keys ?? [], delta.rows ?? {});
    this.#arrive(delta.version, delta.batch, delta.head_at);
  }

  /** Take up what this node has committed. */
  committed(changes: Changes, keys: readonly ChangedKey[], at: { version: number; batch: string; headAt: number }): void {
    if (changes.forget_requests !== undefined) this.#run("DELETE FROM idempotency WHERE created_at<?", changes.forget_requests);
    this.#change(keys, changes.put);
    this.#arrive(at.version, at.batch, at.headAt);
  }

  /** Add rows that were fetched at this version. */
  add(rows: WireRows): void {
    this.mirror.clear();
    this.#inTransaction(() => {
      for (const [name, list] of Object.entries(rows)) for (const row of list) this.#put(TABLE.get(name) as TableShape, row);
    });
  }

  /** The first event of a ticket's chain, from its end back, that is not here; null if all are. */
  missingInChain(lastSeq: number): number | null {
    const step = this.#statements.get("SELECT ticket_prev FROM events WHERE seq=?");
    for (let at = lastSeq; ; ) {
      const row = step.get(at);
      if (row === undefined) return at;
      const before = row.ticket_prev as number | null;
      if (before === null || before >= at) return null;
      at = before;
    }
  }

  /** All rows of a table that is kept whole. */
  dump(table: TableShape): List[] {
    const names = table.columns.map(({ name }) => `"${name}"`).join(", ");
    const statement = this.#database.prepare(`SELECT ${names} FROM "${table.name}"`);
    statement.setReturnArrays(true);
    return statement.all() as unknown as List[];
  }

  /** Forget everything; the next look loads the space. */
  forget(): void {
    this.version = -1;
    this.batch = "";
  }

  get heavy(): boolean {
    return this.#weight > HEAVY;
  }

  #load(rows: WireRows): void {
    this.texts.clear();
    this.agents.clear();
    this.#weight = 0;
    this.#inTransaction(() => {
      for (const { name } of TABLES) this.#database.exec(`DELETE FROM "${name}"`);
      for (const [name, list] of Object.entries(rows)) for (const row of list) this.#put(TABLE.get(name) as TableShape, row);
    });
  }

  #change(keys: readonly ChangedKey[], rows: WireRows): void {
    const before = this.headSeq;
    this.#inTransaction(() => {
      for (const [name, ...key] of keys) {
        const table = TABLE.get(String(name)) as TableShape;
        if (key[0] === "*") this.#database.exec(`DELETE FROM "${table.name}"`);
        else this.#run(deleteOne(table), ...fromWireKey(table, key));
      }
      for (const [name, list] of Object.entries(rows)) {
        const table = TABLE.get(name) as TableShape;
        for (const row of list) {
          // A ticket that is new to this node comes with all its texts; of one whose texts are not here, none is taken.
          const place = name === "contents" ? (row.ticket_seq as number) : null;
          if (place !== null && place > before) this.texts.add(place);
          if (place === null || this.texts.has(place)) this.#put(table, row);
        }
      }
    });
  }

  #arrive(version: number, batch: string, headAt: number): void {
    this.version = version;
    this.batch = batch;
    this.headAt = headAt;
    this.absent.clear();
    this.lists.clear();
    this.mirror.clear();
    this.headSeq = this.rows.head().seq;
  }

  #put(table: TableShape, row: WireRow): void {
    const values = table.columns.map(({ name, type }) => {
      const value = row[name] ?? null;
      if (typeof value === "string") this.#weight += value.length;
      return type === "bytes" && value !== null ? Buffer.from(value as string, "hex") : value;
    });
    this.#run(insertOne(table), ...values);
  }

  #run(sql: string, ...values: (string | number | null | Uint8Array)[]): void {
    this.#statements.get(sql).run(...values);
  }

  #inTransaction(work: () => void): void {
    this.#database.exec("BEGIN");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

const insertOne = cached(
  ({ name, columns }) =>
    `INSERT OR REPLACE INTO "${name}" (${columns.map((column) => `"${column.name}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
);
const byKey = ({ key }: TableShape) => key.map((name) => `"${name}"=?`).join(" AND ");
const deleteOne = cached((table) => `DELETE FROM "${table.name}" WHERE ${byKey(table)}`);
const selectOne = cached(
  (table) => `SELECT ${table.columns.map(({ name }) => `"${name}"`).join(", ")} FROM "${table.name}" WHERE ${byKey(table)}`,
);

function cached(make: (table: TableShape) => string): (table: TableShape) => string {
  const known = new Map<TableShape, string>();
  return (table) => {
    const text = known.get(table) ?? make(table);
    known.set(table, text);
    return text;
  };
}

function add(rows: WireRows, name: string, row: WireRow): void {
  const list = rows[name];
  if (list === undefined) rows[name] = [row];
  else list.push(row);
}

/** A row of SQLite as it travels. */
export function toWire(table: TableShape, row: Record<string, unknown>): WireRow {
  return Object.fromEntries(
    table.columns.map(({ name }) => {
      const value = row[name];
      return [name, value instanceof Uint8Array ? Buffer.from(value).toString("hex") : (value as string | number | null)];
    }),
  );
}

function fromWireKey(table: TableShape, key: readonly (string | number)[]): (string | number | Uint8Array)[] {
  return table.key.map((name, at) => {
    const value = key[at] as string | number;
    return table.columns.find((column) => column.name === name)?.type === "bytes" ? Buffer.from(String(value), "hex") : value;
  });
}
