// Runs a command on a space in PostgreSQL, suspended as the database suspends it and with another node's command meanwhile, and
// compares every row with what the same calls leave in SQLite.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { HapEngine } from "../../src/index.ts";
import { importSpace } from "../../src/store/postgres/import-space.ts";
import { NeedRows } from "../../src/store/postgres/needs.ts";
import { PgStore } from "../../src/store/postgres/pg-store.ts";
import { TABLES } from "../../src/store/postgres/tables.ts";
import type { SqliteWriter } from "../../src/store/sqlite/rows.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { OpenedStore, StoreWriter } from "../../src/store/store.ts";
import { raw } from "../raw-store.ts";
import { type Case, type Made, outcomeOf, START } from "../run-again/run-again.ts";
import { counted, type ReplayedWorld, replayedWorld } from "../run-again/suspending-store.ts";

const QUIET = { ring: () => {}, listen: () => () => {}, close: () => {} };
type Left = { outcome: unknown; other: unknown; tables: Record<string, unknown[]> };
/** When the other command runs: never, at a read of ours, or between our run and its commit. */
export type Other = "no" | "at read" | "before commit";

/** One case, set up once in a file. */
export class PgRunAgain {
  readonly #folder = mkdtempSync(join(tmpdir(), "hap-again-"));
  readonly #case: Case;
  readonly #made: Made;
  readonly #time: number;
  readonly #url: string;
  readonly #pool: Pool;
  readonly #clear: () => Promise<unknown>;
  #copies = 0;
  reads = 0;

  constructor(given: Case, database: { url: string; pool: Pool; clear: () => Promise<unknown> }) {
    this.#case = given;
    this.#url = database.url;
    this.#pool = database.pool;
    this.#clear = database.clear;
    const world = replayedWorld(1, START);
    const store = new SqliteStore({ path: join(this.#folder, "base.db") });
    const engine = this.#engine({ store, bell: QUIET }, world);
    this.#made = given.before(engine, world);
    engine.dispose();
    this.#time = world.time + (given.laterMs ?? 1_000);
  }

  #engine(store: OpenedStore, world: ReplayedWorld): HapEngine {
    return new HapEngine({ store, home: this.#folder, world, humanId: "human:alex" });
  }

  /** What the embedded store leaves. */
  onSqlite(other: "no" | "before"): Left {
    const path = join(this.#folder, `${this.#copies++}.db`);
    copyFileSync(join(this.#folder, "base.db"), path);
    const engines = [2, 3].map((seed) =>
      this.#engine({ store: withSavepoints(new SqliteStore({ path })), bell: QUIET }, replayedWorld(seed, this.#time)),
    ) as [HapEngine, HapEngine];
    try {
      const said = other === "before" ? outcomeOf(() => this.#case.other(engines[1], this.#made)) : null;
      const outcome = outcomeOf(() => this.#case.run(engines[0], this.#made));
      const tables = raw(path, (database) => dumpWith((sql) => database.prepare(sql).all()));
      return { outcome, other: said, tables };
    } finally {
      for (const engine of engines) engine.dispose();
    }
  }

  /** What PostgreSQL leaves; `at` is the read at which our first run is suspended, 0 for none. */
  async onPostgres(other: Other, at: number): Promise<Left> {
    await this.#clear();
    await importSpace({ from: join(this.#folder, "base.db"), space: "default", pool: this.#pool, path: "the test" });
    const world = replayedWorld(2, this.#time);
    const theirWorld = replayedWorld(3, this.#time);
    const store = () => new PgStore({ url: this.#url, space: "default", pool: this.#pool });
    let said: unknown = null;
    let done = false;
    const act = () => {
      if (done) return;
      done = true;
      said = outcomeOf(() => this.#case.other(theirs, this.#made));
    };
    const plan: Plan = { armed: false, at, other, act, reads: (count) => this.#count(count) };
    const mine = this.#engine({ store: suspending(store(), world, plan), bell: QUIET }, world);
    const quiet: Plan = { armed: false, at: 0, other: "no", act: () => {}, reads: () => {} };
    const theirs = this.#engine({ store: suspending(store(), theirWorld, quiet), bell: QUIET }, theirWorld);
    plan.armed = true;
    try {
      const outcome = outcomeOf(() => this.#case.run(mine, this.#made));
      const found = Object.fromEntries(
        await Promise.all(
          TABLES.map(async ({ name }) => [name, (await this.#pool.query(dumpPg(name))).rows.map(({ row }) => row)]),
        ),
      );
      return { outcome, other: said, tables: found };
    } finally {
      mine.dispose();
      theirs.dispose();
    }
  }

  #count(reads: number): void {
    this.reads = Math.max(this.reads, reads);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** As PostgreSQL's copy does, so that both draw the same randomness: a command that fails is undone, and runs once. */
function withSavepoints(inner: SqliteStore): SqliteStore {
  const write: SqliteStore["write"] = (work) =>
    inner.write((rows) => {
      (rows as SqliteWriter).begin(true);
      return work(rows);
    });
  return new Proxy(inner, {
    get: (_, name) => {
      if (name === "write") return write;
      const value = Reflect.get(inner, name, inner);
      return typeof value === "function" ? value.bind(inner) : value;
    },
  });
}

type Plan = { armed: boolean; at: number; other: Other; act: () => void; reads: (count: number) => void };

/** The store with runs that are suspended, and randomness that is drawn again in each. */
function suspending(inner: PgStore, world: ReplayedWorld, plan: Plan): PgStore {
  let thrown = false;
  const write = <T>(work: (rows: StoreWriter) => T): T => {
    const { position } = world;
    return inner.write((rows) => {
      world.position = position;
      const suspend = plan.armed && plan.at > 0 && !thrown;
      const counter = { left: suspend ? plan.at : Number.POSITIVE_INFINITY, reads: 0, thrown: false };
      try {
        const value = work(counted(rows, counter, () => new NeedRows({})));
        if (plan.armed) plan.reads(counter.reads);
        if (plan.armed && plan.other === "before commit") plan.act();
        return value;
      } catch (error) {
        if (counter.thrown) {
          thrown = true;
          if (plan.other === "at read") plan.act();
        }
        throw error;
      }
    });
  };
  return new Proxy(inner, {
    get: (_, name) => {
      if (name === "write") return write;
      if (name === "writeLater") return undefined;
      const value = Reflect.get(inner, name, inner);
      return typeof value === "function" ? value.bind(inner) : value;
    },
  });
}

function columnsOf(name: string, hex: (column: string) => string): string {
  const table = TABLES.find((one) => one.name === name) as (typeof TABLES)[number];
  return table.columns.map((column) => (column.type === "bytes" ? hex(`"${column.name}"`) : `"${column.name}"`)).join(", ");
}

function dumpWith(all: (sql: string) => Record<string, unknown>[]): Record<string, unknown[]> {
  return Object.fromEntries(
    TABLES.map(({ name, key }) => {
      const order = key.map((column) => `"${column}"`).join(", ");
      const rows = all(`SELECT ${columnsOf(name, (column) => `lower(hex(${column}))`)} FROM "${name}" ORDER BY ${order}`);
      return [name, rows.map((row) => Object.values(row))];
    }),
  );
}

function dumpPg(name: string): string {
  const { key } = TABLES.find((one) => one.name === name) as (typeof TABLES)[number];
  const order = key.map((column) => `"${column}"`).join(", ");
  return `SELECT json_build_array(${columnsOf(name, (column) => `encode(${column}, 'hex')`)}) AS row FROM hap."${name}" WHERE space='default' ORDER BY ${order}`;
}
