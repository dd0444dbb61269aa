// Opens a space in PostgreSQL: schema, pool, store and bell.
import pg from "pg";
import type { OpenedStore } from "../store.ts";
import { connectionOptions } from "./connection-options.ts";
import { translatePg, withoutPassword } from "./errors.ts";
import { migrateSchema } from "./migrate-schema.ts";
import { PgBell } from "./pg-bell.ts";
import { PgStore } from "./pg-store.ts";
import { checkSpace } from "./space-name.ts";

/** Where the database is, and which space of it. `poolSize`: connections for calls that wait, beside one that blocks and one that listens. */
export type PostgresOptions = { url: string; space: string; poolSize?: number | undefined };

/** Connections of a node when nothing else is said. */
const POOL_SIZE = 8;
/** How long a statement of the pool may take. */
const QUERY_MS = 10_000;

/** Open a space, migrating the schema first if the database user may. The space is created if it is not there. */
export async function openPostgres(options: PostgresOptions): Promise<OpenedStore> {
  const { url, space } = options;
  await prepareDatabase(url, checkSpace(space));
  const pool = makePool(url, options.poolSize ?? POOL_SIZE);
  const store = new PgStore({ url, space, pool });
  const bell = new PgBell(url, store, pool);
  const closeStore = store.close.bind(store);
  store.close = () => {
    closeStore();
    pool.end().catch(() => {});
  };
  return { store, bell, now: store.clock.now };
}

/** A pool whose connections have the application's rights only. */
export function makePool(url: string, max: number): pg.Pool {
  const options = { ...connectionOptions(url), max, query_timeout: QUERY_MS, idleTimeoutMillis: 30_000 };
  const restrict = async (client: pg.ClientBase) => {
    await client.query("SET ROLE hap_app");
  };
  const pool = new pg.Pool({ ...options, onConnect: restrict });
  // An idle connection that breaks is replaced when it is needed.
  pool.on("error", () => {});
  return pool;
}

/** Migrate the schema, and create a space if it is named and not there. */
export async function prepareDatabase(url: string, space?: string): Promise<void> {
  const client = new pg.Client(connectionOptions(url));
  try {
    await client.connect();
    await migrateSchema(client, withoutPassword(url));
    if (space === undefined) return;
    await client.query("SET ROLE hap_app");
    await client.query("INSERT INTO hap.spaces (space) VALUES ($1) ON CONFLICT DO NOTHING", [space]);
  } catch (error) {
    throw translatePg(error, withoutPassword(url));
  } finally {
    await client.end().catch(() => {});
  }
}
