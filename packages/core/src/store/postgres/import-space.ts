// Copies a SQLite store into an empty space, row by row: bytes, hashes and places stay as they are. It can be run again after a
// failure: each part has an id that follows from the log, and a part that was committed is not written twice.
import { DatabaseSync } from "node:sqlite";
import { HapError } from "@hap/protocol";
import type { Pool } from "pg";
import { translatePg } from "./errors.ts";
import { toWire } from "./local-copy.ts";
import { TABLES, type TableShape, type WireRow } from "./tables.ts";

/** Rows and characters of one part, at most. */
const PART_ROWS = 500;
const PART_CHARACTERS = 2_000_000;

/** What was copied. */
export type Imported = { events: number; head: string; rows: number };
/** From which file into which space. `progress` is told of each part. */
export type ImportOptions = {
  from: string;
  space: string;
  pool: Pool;
  path: string;
  progress?: ((rows: number) => void) | undefined;
};

/** Copy a store. The file is locked meanwhile: other processes can read it, and wait to write. */
export async function importSpace(options: ImportOptions): Promise<Imported> {
  const database = new DatabaseSync(options.from, { timeout: 5_000 });
  try {
    database.exec("BEGIN IMMEDIATE");
    return await copyAll(database, options);
  } catch (error) {
    throw translatePg(error, options.path);
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
    database.close();
  }
}

async function copyAll(database: DatabaseSync, { space, pool, path, progress }: ImportOptions): Promise<Imported> {
  const head = database.prepare("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1").get() as
    | { seq: number; hash: string }
    | undefined;
  if (head === undefined) throw new HapError("invalid_input", "The store holds no events; there is nothing to migrate.", {});
  const genesis = database.prepare("SELECT payload FROM events WHERE seq=1").get()?.payload as string | undefined;
  const named = (JSON.parse(genesis ?? "{}") as { space?: string }).space;
  if (named !== space) throw otherSpace(space, named ?? "");
  const name = `import:${head.hash}`;
  await pool.query("INSERT INTO hap.spaces (space, archived_at) VALUES ($1, now()) ON CONFLICT DO NOTHING", [space]);
  const { rows: found } = await pool.query("SELECT version, batch, head_hash FROM hap.spaces WHERE space=$1", [space]);
  const state = found[0] as { version: string; batch: string; head_hash: string };
  if (state.version === "0") await pool.query("UPDATE hap.spaces SET archived_at=now() WHERE space=$1 AND version=0", [space]);
  else if (!state.batch.startsWith(`${name}:`)) throw notEmpty(space, path);
  let version = 0;
  let before = "";
  let rows = 0;
  for (const { table, part } of parts(database)) {
    const batch = `${name}:${version}`;
    const changes = JSON.stringify({ put: { [table]: part } });
    const sql = "SELECT hap.commit($1, $2, $3, $4, NULL, NULL, $5) AS answer";
    const { rows: answers } = await pool.query(sql, [space, version, before, batch, changes]);
    const answer = answers[0].answer as { version?: number; applied?: number };
    if (answer.version === undefined && answer.applied === undefined) throw notEmpty(space, path);
    version++;
    before = batch;
    rows += part.length;
    progress?.(rows);
  }
  const done = "UPDATE hap.spaces SET archived_at=NULL WHERE space=$1 AND version=$2 AND batch=$3";
  await pool.query(done, [space, version, before]);
  return { events: head.seq, head: head.hash, rows };
}

function* parts(database: DatabaseSync): Iterable<{ table: string; part: WireRow[] }> {
  for (const table of TABLES) {
    let part: WireRow[] = [];
    let characters = 0;
    for (const row of database.prepare(selectAll(table)).iterate()) {
      const wire = toWire(table, row);
      part.push(wire);
      for (const value of Object.values(wire)) characters += typeof value === "string" ? value.length : 8;
      if (part.length < PART_ROWS && characters < PART_CHARACTERS) continue;
      yield { table: table.name, part };
      part = [];
      characters = 0;
    }
    if (part.length > 0) yield { table: table.name, part };
  }
}

function selectAll({ name, key, columns }: TableShape): string {
  const quoted = (list: readonly string[]) => list.map((column) => `"${column}"`).join(", ");
  return `SELECT ${quoted(columns.map((column) => column.name))} FROM "${name}" ORDER BY ${quoted(key)}`;
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
  return new HapError("invalid_input", `The space ${space} of ${path} is not empty. Migrate into a database without it.`, {
    space,
  });
}
