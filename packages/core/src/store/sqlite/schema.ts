// Compares the layout of a file with the one that the migrations make: tables, columns, indexes and triggers, by their SQL.
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "./migrations.ts";
import type { Statements } from "./statements.ts";

/** By `type name`, the SQL that made each part; what SQLite keeps for itself (`sqlite_stat1`) is left out. */
type Layout = ReadonlyMap<string, string>;

const query = "SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'";
let expected: Layout | null = null;

/** What differs between the file and the layout that this program makes, in words, or null. */
export function schemaProblem(sql: Statements): string | null {
  expected ??= madeByMigrations();
  const found = toLayout(sql.fresh(query).all());
  for (const [part, text] of expected) {
    if (!found.has(part)) return `the ${part} is missing from the database`;
    if (found.get(part) !== text) return `the ${part} of the database is not as HAP made it`;
  }
  for (const part of found.keys()) if (!expected.has(part)) return `the database has a ${part}, which HAP did not make`;
  return null;
}

function madeByMigrations(): Layout {
  const database = new DatabaseSync(":memory:");
  try {
    for (const migration of MIGRATIONS) database.exec(migration);
    return toLayout(database.prepare(query).all());
  } finally {
    database.close();
  }
}

function toLayout(rows: Record<string, unknown>[]): Layout {
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, String(sql)]));
}
