// Copies a space out of PostgreSQL into a SQLite file, row by row: bytes, hashes and places stay as they are.
import { DatabaseSync } from "node:sqlite";
import { SqliteStore } from "../sqlite/sqlite-store.ts";
import type { List } from "../sqlite/statements.ts";
import type { LocalCopy } from "./local-copy.ts";
import type { Scanner } from "./scanner.ts";
import { TABLES, type TableShape } from "./tables.ts";

/** Write every row of a space into an empty file, and open that. `copy` and `scanner` are at the same version. */
export function copyToSqlite(copy: LocalCopy, scanner: Scanner, path: string, space: string): SqliteStore {
  new SqliteStore({ path, space }).close();
  const database = new DatabaseSync(path);
  try {
    database.exec("BEGIN IMMEDIATE");
    for (const table of TABLES) {
      const insert = database.prepare(insertInto(table));
      for (const row of table.whole ? copy.dump(table) : scanner.rowsOf(table.name)) insert.run(...values(table, row));
    }
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  return new SqliteStore({ path, space });
}

/** The statement that puts a whole row. */
function insertInto({ name, columns }: TableShape): string {
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  return `INSERT INTO "${name}" (${names}) VALUES (${columns.map(() => "?").join(", ")})`;
}

function values(table: TableShape, row: List): (string | number | null | Uint8Array)[] {
  return table.columns.map(({ type }, at) => {
    const value = row[at] as string | number | null | Uint8Array;
    return type === "bytes" && typeof value === "string" ? Buffer.from(value, "hex") : value;
  });
}
