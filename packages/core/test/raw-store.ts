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

/** The same, past what keeps the log from being changed: taken away and put back, as an attacker would. */
export function tamper<T>(path: string, work: (database: DatabaseSync) => T): T {
  return raw(path, (database) => {
    const guards = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type='trigger'").all();
    for (const { name } of guards) database.exec(`DROP TRIGGER ${name}`);
    const result = work(database);
    for (const { sql } of guards) database.exec(sql as string);
    return result;
  });
}

/** Every row of a table. */
export function rows(path: string, table: string): RawRow[] {
  return raw(path, (database) => database.prepare(`SELECT * FROM ${table}`).all());
}
