// What the spaces of one process share: a pool, one blocking connection, one LISTEN connection, and what is known of the database's
// clock. So the number of connections does not grow with the spaces that a node serves.
import type pg from "pg";
import type { OpenedStore } from "../store.ts";
import { Bridge } from "./bridge.ts";
import { ClockWitness } from "./clock-witness.ts";
import { pooled } from "./connection-options.ts";
import { type Durability, readDurability } from "./durability.ts";
import { failureOf, translatePg, withoutPassword } from "./errors.ts";
import { PgBell } from "./pg-bell.ts";
import { PgChannel } from "./pg-channel.ts";
import { PgStore } from "./pg-store.ts";
import { makePool, prepareDatabase } from "./prepare-database.ts";
import { checkSpace } from "./space-name.ts";

/**
 * Where the database is. `directUrl`: the same past a pooler, for LISTEN and for setting up. `poolSize`: connections for calls that wait,
 * beside one that blocks and one that listens. `mostQueued`: how many commands of a space may wait.
 */
export type NodeOptions = {
  url: string;
  directUrl?: string | undefined;
  poolSize?: number | undefined;
  mostQueued?: number | undefined;
};

/** Connections of a node when nothing else is said. */
const POOL_SIZE = 8;
/** How many commands of one space may wait, when nothing else is said: some seconds of work. */
const MOST_QUEUED = 5_000;
/** How many spaces with due leases one look returns. */
const DUE_SPACES = 100;

/** One process's way to a database. */
export class PgNode {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly bridge: Bridge;
  readonly witness = new ClockWitness();
  readonly #channel: PgChannel;
  readonly #mostQueued: number;

  constructor({ url: given, directUrl, poolSize = POOL_SIZE, mostQueued = MOST_QUEUED }: NodeOptions) {
    this.#mostQueued = mostQueued;
    const url = directUrl === undefined ? given : pooled(given);
    this.url = url;
    this.pool = makePool(url, poolSize);
    this.bridge = new Bridge(url);
    this.#channel = new PgChannel(directUrl ?? url);
  }

  /** Connect, migrating the schema first if the database user may. A space that is named is created if it is not there. */
  static async open(options: NodeOptions, space?: string): Promise<PgNode> {
    await prepareDatabase(options.directUrl ?? options.url, space === undefined ? undefined : checkSpace(space));
    return new PgNode(options);
  }

  /** A space that exists. */
  store(space: string): OpenedStore {
    const { url, pool, bridge, witness } = this;
    const store = new PgStore({ url, space: checkSpace(space), pool, bridge, witness, mostWaiting: this.#mostQueued });
    const steadySince = (at: number) => witness.steadySince(at);
    return {
      store,
      bell: new PgBell(store, pool, this.#channel),
      now: store.clock.now,
      steadySince,
      mostQueued: this.#mostQueued,
    };
  }

  /** True if the database has this space, archived or not. */
  async has(space: string): Promise<boolean> {
    return (await this.#ask("SELECT 1 FROM hap.spaces WHERE space=$1", [space])).length === 1;
  }

  /** Spaces in which a lease is due, the longest overdue first. Archived ones are not written, so nothing is due there. */
  async due(): Promise<string[]> {
    const asked = performance.now();
    const rows = await this.#ask(
      `SELECT t.now, d.space FROM (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now) t
       LEFT JOIN LATERAL (SELECT d.space, d.at FROM hap.dues d JOIN hap.spaces s USING (space)
         WHERE d.at <= t.now AND s.archived_at IS NULL AND NOT pg_is_in_recovery() ORDER BY d.at LIMIT ${DUE_SPACES}) d ON true ORDER BY d.at`,
    );
    // Asked regularly, so that this node has watched the clock also while no space is in use.
    if (performance.now() - asked < 1_000) this.witness.learn(rows[0]?.now as number);
    return rows.flatMap(({ space }) => (typeof space === "string" ? [space] : []));
  }

  /** What the database promises about acknowledged writes. */
  async durability(): Promise<Durability> {
    try {
      return await readDurability(this.pool);
    } catch (error) {
      throw translatePg(failureOf(error), withoutPassword(this.url));
    }
  }

  async #ask(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    try {
      return (await this.pool.query(sql, values)).rows;
    } catch (error) {
      throw translatePg(failureOf(error), withoutPassword(this.url));
    }
  }

  close(): void {
    this.#channel.close();
    this.bridge.close();
    this.pool.end().catch(() => {});
  }
}
