// The spaces of a database: creating, listing and archiving them.
import { HapError, quote } from "@hap/protocol";
import type pg from "pg";
import { limitsRow, readLimits, type SpaceLimits } from "../../tickets/space-limits.ts";
import { withClient } from "./connect-client.ts";
import { sessionStart } from "./connection-options.ts";
import { openPostgres } from "./open-postgres.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { checkSpace } from "./space-name.ts";

/** A space as it is listed. */
export type SpaceRow = { space: string; events: number; created_at: string; archived_at: string | null };

async function asApplication<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  await prepareDatabase(url);
  return withClient(url, async (client) => {
    const start = sessionStart(url);
    if (start !== null) await client.query(start);
    return work(client);
  });
}

/** Create a space; false if it is there already. */
export async function createSpace(url: string, space: string): Promise<boolean> {
  checkSpace(space);
  return asApplication(url, async (client) => {
    const made = await client.query("INSERT INTO hap.spaces (space) VALUES ($1) ON CONFLICT DO NOTHING", [space]);
    return made.rowCount === 1;
  });
}

/** Every space, by name. */
export async function listSpaces(url: string): Promise<SpaceRow[]> {
  const sql = "SELECT space, head_seq::float8 AS events, created_at, archived_at FROM hap.spaces ORDER BY space";
  const rows = await asApplication(url, async (client) => (await client.query(sql)).rows);
  return rows.map(({ space, events, created_at, archived_at }) => ({
    space,
    events,
    created_at: (created_at as Date).toISOString(),
    archived_at: (archived_at as Date | null)?.toISOString() ?? null,
  }));
}

/** Limit what a space may take; without limits, take them away. Returns what holds now. */
export async function limitSpace(url: string, space: string, limits: SpaceLimits | null): Promise<SpaceLimits> {
  if (!(await listSpaces(url)).some((one) => one.space === space)) throw noSpace(space);
  const { store } = await openPostgres({ url, space });
  try {
    if (limits !== null) store.write((tx) => tx.setConfig(...limitsRow(limits)));
    return readLimits(store);
  } finally {
    store.close();
  }
}

/** Make a space read-only, or writable again. */
export async function archiveSpace(url: string, space: string, archived: boolean): Promise<void> {
  const sql = `UPDATE hap.spaces SET archived_at=${archived ? "coalesce(archived_at, now())" : "NULL"} WHERE space=$1`;
  const changed = await asApplication(url, async (client) => (await client.query(sql, [space])).rowCount);
  if (changed === 1) return;
  throw noSpace(space);
}

function noSpace(space: string): HapError {
  return new HapError("invalid_input", `There is no space ${quote(space)}. \`hap space list\` shows them all.`, {
    field: "space",
  });
}
