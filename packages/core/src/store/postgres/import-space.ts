// Copies a SQLite store into a space, row by row: bytes, hashes and places stay as they are. Most of it is copied while others write to
// the file; a last step locks it and copies what changed meanwhile. Run again, also after a failure, it copies only what is missing.
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { HapError } from "@hap/protocol";
import type { Pool } from "pg";
import { failureOf, translatePg } from "./errors.ts";
import { toWire } from "./local-copy.ts";
import { TABLES, type TableShape, type WireRow } from "./tables.ts";

/** Rows and characters of one part, at most. */
const PART_ROWS = 500;
const PART_CHARACTERS = 2_000_000;

/** What was copied, and for how long the file was locked. */
export type Imported = { events: number; head: string; rows: number; lockedMs: number };
/** From which file into which space. `progress` is told of each part. */
export type ImportOptions = {
  from: string;
  space: string;
  pool: Pool;
  path: string;
  progress?: ((rows: number) => void) | undefined;
};

/** Copy a store. During the last step other processes can read the file, and wait to write. */
export async function importSpace(options: ImportOptions): Promise<Imported> {
  const database = new DatabaseSync(options.from, { timeout: 5_000 });
  try {
    const copy = await SpaceImport.begin(database, options);
    // Texts and events are most of a store, and events tell later which tickets changed meanwhile.
    database.exec("BEGIN");
    const seen = headOf(database).seq;
    await copy.events();
    await copy.table("tickets");
    await copy.table("contents");
    database.exec("COMMIT");
    database.exec("BEGIN IMMEDIATE");
    const locked = performance.now();
    const head = headOf(database);
    await copy.events();
    for (const { name } of TABLES) if (name !== "events") await copy.table(name, name === "tickets" ? seen : 0);
    await copy.finish();
    return { events: head.seq, head: head.hash, rows: copy.rows, lockedMs: Math.round(performance.now() - locked) };
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_SQLITE_ERROR") throw fileFailed(error as Error, options.from);
    throw translatePg(failureOf(error), options.path);
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
    database.close();
  }
}

function headOf(database: DatabaseSync): { seq: number; hash: string } {
  const head = database.prepare("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1").get();
  if (head === undefined) throw new HapError("invalid_input", "The store holds no events; there is nothing to migrate.", {});
  return head as { seq: number; hash: string };
}

type State = { version: string; batch: string; head_seq: string; head_hash: string };

/** One copy under way: the space is archived meanwhile, and each part is a commit that follows the one before. */
class SpaceImport {
  readonly #database: DatabaseSync;
  readonly #options: ImportOptions;
  readonly #prefix: string;
  #version: number;
  #before: string;
  #headSeq: number;
  rows = 0;

  private constructor(database: DatabaseSync, options: ImportOptions, prefix: string, state: State) {
    this.#database = database;
    this.#options = options;
    this.#prefix = prefix;
    this.#version = Number(state.version);
    this.#before = state.batch;
    this.#headSeq = Number(state.head_seq);
  }

  /** Take an empty space, or one that this log was copied into and that nothing else was written to. */
  static async begin(database: DatabaseSync, options: ImportOptions): Promise<SpaceImport> {
    const { space, pool, path } = options;
    headOf(database);
    const genesis = database.prepare("SELECT payload, hash FROM events WHERE seq=1").get() as { payload: string; hash: string };
    const named = (JSON.parse(genesis.payload) as { space?: string }).space;
    if (named !== space) throw otherSpace(space, named ?? "");
    const prefix = `import:${genesis.hash}:`;
    await pool.query("INSERT INTO hap.spaces (space, archived_at) VALUES ($1, now()) ON CONFLICT DO NOTHING", [space]);
    const { rows } = await pool.query(
      `UPDATE hap.spaces SET archived_at=coalesce(archived_at, now()) WHERE space=$1 AND (version=0 OR starts_with(batch, $2))
       RETURNING version, batch, head_seq, head_hash`,
      [space, prefix],
    );
    const state = rows[0] as State | undefined;
    if (state === undefined) throw notEmpty(space, path);
    const kept = database.prepare("SELECT hash FROM events WHERE seq=?").get(Number(state.head_seq))?.hash ?? "";
    // The file is an older copy of the log than the space has, or another one.
    if (kept !== state.head_hash) throw notEmpty(space, path);
    return new SpaceImport(database, options, prefix, state);
  }

  /** Events after those that are there. */
  async events(): Promise<void> {
    const rows = this.#database.prepare(`${select(shapeOf("events"))} WHERE seq>? ORDER BY seq`).iterate(this.#headSeq);
    for (const part of parts(shapeOf("events"), rows)) {
      await this.#commit({ put: { events: part } });
      this.#headSeq = part.at(-1)?.seq as number;
    }
  }

  /** Make a table the same as in the file. `changedSince`: only tickets with events after this one, or all. */
  async table(name: string, changedSince = 0): Promise<void> {
    const table = shapeOf(name);
    const there = await this.#keys(table);
    const changed = " WHERE seq>?1 OR id IN (SELECT json_extract(payload, '$.ticket_id') FROM events WHERE seq>?1)";
    const rows =
      changedSince === 0
        ? this.#database.prepare(select(table)).iterate()
        : this.#database.prepare(select(table) + changed).iterate(changedSince);
    const wanted =
      name === "contents" ? unless(rows, (row) => there.delete(keyOf(table, toWire(table, row)))) : seen(rows, table, there);
    for (const part of parts(table, wanted)) await this.#commit({ put: { [name]: part } });
    // Tickets are never deleted; of the rest, what the file no longer has goes.
    const gone = name === "tickets" ? [] : [...there].map((key) => keyRow(table, key));
    for (let at = 0; at < gone.length; at += PART_ROWS) await this.#commit({ del: { [name]: gone.slice(at, at + PART_ROWS) } });
  }

  async finish(): Promise<void> {
    const sql = "UPDATE hap.spaces SET archived_at=NULL WHERE space=$1 AND version=$2 AND batch=$3";
    const { rowCount } = await this.#options.pool.query(sql, [this.#options.space, this.#version, this.#before]);
    if (rowCount !== 1) throw notEmpty(this.#options.space, this.#options.path);
  }

  async #commit(changes: object): Promise<void> {
    const { space, pool, path, progress } = this.#options;
    const batch = `${this.#prefix}${randomUUID()}`;
    const sql = "SELECT hap.commit($1, $2, $3, $4, NULL, NULL, $5) AS answer";
    const { rows } = await pool.query(sql, [space, this.#version, this.#before, batch, JSON.stringify(changes)]);
    if ((rows[0].answer as { version?: number }).version === undefined) throw notEmpty(space, path);
    this.#version++;
    this.#before = batch;
    for (const part of Object.values(changes as Record<string, Record<string, WireRow[]>>))
      for (const list of Object.values(part)) this.rows += list.length;
    progress?.(this.rows);
  }

  /** The keys that the space has in a table. */
  async #keys(table: TableShape): Promise<Set<string>> {
    const client = await this.#options.pool.connect();
    try {
      await client.query("BEGIN READ ONLY");
      await client.query("SELECT set_config('hap.space', $1, true)", [this.#options.space]);
      const columns = table.key.map((name) => {
        const bytes = table.columns.find((column) => column.name === name)?.type === "bytes";
        return bytes ? `encode("${name}", 'hex')` : `"${name}"`;
      });
      const sql = `SELECT json_build_array(${columns.join(", ")})::text FROM hap."${table.name}" WHERE space=$1`;
      const { rows } = await client.query({ text: sql, values: [this.#options.space], rowMode: "array" });
      await client.query("COMMIT");
      return new Set(rows.map(([key]) => JSON.stringify(JSON.parse(key as string))));
    } finally {
      client.release();
    }
  }
}

const shapeOf = (name: string) => TABLES.find((table) => table.name === name) as TableShape;
const keyOf = (table: TableShape, row: WireRow) => JSON.stringify(table.key.map((name) => row[name]));

function keyRow(table: TableShape, key: string): WireRow {
  const values = JSON.parse(key) as (string | number)[];
  return Object.fromEntries(table.key.map((name, at) => [name, values[at] ?? null]));
}

type Rows = Iterable<Record<string, unknown>>;

function* unless(rows: Rows, skip: (row: Record<string, unknown>) => boolean): Rows {
  for (const row of rows) if (!skip(row)) yield row;
}

/** All rows; the keys of those that are here are taken out of `there`. */
function* seen(rows: Rows, table: TableShape, there: Set<string>): Rows {
  for (const row of rows) {
    there.delete(keyOf(table, toWire(table, row)));
    yield row;
  }
}

function* parts(table: TableShape, rows: Rows): Iterable<WireRow[]> {
  let part: WireRow[] = [];
  let characters = 0;
  for (const row of rows) {
    const wire = toWire(table, row);
    part.push(wire);
    for (const value of Object.values(wire)) characters += typeof value === "string" ? value.length : 8;
    if (part.length < PART_ROWS && characters < PART_CHARACTERS) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

function select({ name, columns }: TableShape): string {
  return `SELECT ${columns.map((column) => `"${column.name}"`).join(", ")} FROM "${name}"`;
}

function fileFailed(error: Error, path: string): HapError {
  return new HapError(
    "store_busy",
    `${path}: ${error.message}. Run \`hap migrate\` again; it goes on where it stopped.`,
    { path },
    error,
  );
}

function otherSpace(space: string, named: string): HapError {
  return new HapError(
    "invalid_input",
    `The log is that of the space ${named}, which its events name; it cannot become ${space}.`,
    {
      space: named,
    },
  );
}

function notEmpty(space: string, path: string): HapError {
  return new HapError(
    "invalid_input",
    `The space ${space} of ${path} holds more than a copy of this log. Migrate into a database without it.`,
    { space },
  );
}
