// Brings the database's schema up to date. Safe when many nodes start at once: one migrates, the others wait for its lock.
import { HapError } from "@hap/protocol";
import type { Client } from "pg";
import { FIRST } from "./migrations/first.ts";
import { SECOND } from "./migrations/second.ts";
import { THIRD } from "./migrations/third.ts";

/**
 * Each entry takes the schema to the next number. Entries are never edited once released. `oldest` is the oldest schema whose programs
 * still work on this one, so that servers can be updated one after another: it stays as it is while a migration only adds.
 */
const MIGRATIONS: readonly { sql: string; oldest: number }[] = [
  { sql: FIRST, oldest: 1 },
  { sql: SECOND, oldest: 1 },
  { sql: THIRD, oldest: 3 },
];
/** The schema that this program writes. */
export const PG_SCHEMA = MIGRATIONS.length;
/** The advisory lock that migrating nodes take; any number that nobody else uses. */
const LOCK = 4_741_505;

/** Apply the migrations that are missing; refuse a newer database. */
export async function migrateSchema(client: Client, where: string): Promise<void> {
  const before = await schemaVersion(client);
  if (before > PG_SCHEMA && !(await servesOlder(client, before))) throw newer(where, before);
  if (before >= PG_SCHEMA) return;
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await client.query("CREATE SCHEMA IF NOT EXISTS hap");
    await client.query(
      "CREATE TABLE IF NOT EXISTS hap.migrations (version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    await client.query("ALTER TABLE hap.migrations ADD COLUMN IF NOT EXISTS oldest int NOT NULL DEFAULT 1");
    const version = await schemaVersion(client);
    if (version > PG_SCHEMA && !(await servesOlder(client, version))) throw newer(where, version);
    for (let at = version; at < PG_SCHEMA; at++) {
      const { sql, oldest } = MIGRATIONS[at] as (typeof MIGRATIONS)[number];
      await client.query(sql);
      await client.query("INSERT INTO hap.migrations (version, oldest) VALUES ($1, $2)", [at + 1, oldest]);
    }
    await client.query("COMMIT");
  } catch (error) {
    // On a connection that broke there is nothing to undo, and its first error is the one to report.
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** SQL for the oldest schema whose programs work on schema $1. Only newer programs make such rows, so the column is there. */
export const OLDEST = "SELECT oldest FROM hap.migrations WHERE version=$1";

async function servesOlder(client: Client, version: number): Promise<boolean> {
  const { rows } = await client.query(OLDEST, [version]);
  return Number(rows[0]?.oldest) <= PG_SCHEMA;
}

async function schemaVersion(client: Client): Promise<number> {
  const { rows } = await client.query("SELECT to_regclass('hap.migrations') IS NOT NULL AS made");
  if (rows[0]?.made !== true) return 0;
  const found = await client.query("SELECT coalesce(max(version), 0) AS version FROM hap.migrations");
  return found.rows[0].version as number;
}

function newer(where: string, version: number): HapError {
  return new HapError(
    "store_newer",
    `${where} was set up by a newer HAP (schema ${version}; this one knows ${PG_SCHEMA}). Update HAP; nothing was changed.`,
    { path: where, version, known: PG_SCHEMA },
  );
}
