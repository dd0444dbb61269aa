// The database of a store as it is, past the engine: for tests that look behind it, or do what an attacker would.
import { DatabaseSync } from "node:sqlite";

/** A row as SQLite gives it. */
export type RawRow = Record<string, unknown>;

/** Work on the database itself, then close it. */
export function raw<T>(path: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Every row of a table. */
export function rows(path: string, table: string): RawRow[] {
  return raw(path, (database) => database.prepare(`SELECT * FROM ${table}`).all());
}
