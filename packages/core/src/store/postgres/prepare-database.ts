// Sets up the database, and connects to it with the application's rights.
import pg from "pg";
import { withClient } from "./connect-client.ts";
import { connectionOptions, sessionStart } from "./connection-options.ts";
import { withoutPassword } from "./errors.ts";
import { migrateSchema } from "./migrate-schema.ts";

/** How long a statement of the pool may take. */
const QUERY_MS = 10_000;

/** A pool whose connections have the application's rights only. */
export function makePool(url: string, max: number): pg.Pool {
  const options = { ...connectionOptions(url), max, query_timeout: QUERY_MS, idleTimeoutMillis: 30_000 };
  const start = sessionStart(url);
  const restrict = async (client: pg.ClientBase) => {
    if (start !== null) await client.query(start);
  };
  const pool = new pg.Pool({ ...options, onConnect: restrict });
  // An idle connection that breaks is replaced when it is needed.
  pool.on("error", () => {});
  return pool;
}

/** Migrate the schema, and create a space if it is named and not there. */
export async function prepareDatabase(url: string, space?: string): Promise<void> {
  await withClient(url, async (client) => {
    await migrateSchema(client, withoutPassword(url));
    if (space === undefined) return;
    const start = sessionStart(url);
    if (start !== null) await client.query(start);
    // Looked for first: a standby can be read, and takes no insert.
    const { rowCount } = await client.query("SELECT 1 FROM hap.spaces WHERE space=$1", [space]);
    if (rowCount === 1) return;
    await client.query("INSERT INTO hap.spaces (space) VALUES ($1) ON CONFLICT DO NOTHING", [space]);
  });
}
