// Commands on PostgreSQL leave, row for row, what they leave in SQLite: alone, on a node that must fetch what it reads, and while
// another node commits between their reads or before their commit.
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { TABLES } from "../../src/store/postgres/tables.ts";
import { OTHER_CASES } from "../run-again/other-cases.ts";
import { TICKET_CASES } from "../run-again/ticket-cases.ts";
import { PgRunAgain } from "./pg-run-again.ts";
import { TestServer } from "./test-server.ts";

const CASES = { ...TICKET_CASES, ...OTHER_CASES };
let server: TestServer;
let url = "";
/** The superuser's, which sees every row. */
let pool: Pool;

beforeAll(async () => {
  server = await TestServer.start();
  url = await server.database();
  const { store } = await openPostgres({ url, space: "default" });
  store.close();
  const { default: pg } = await import("pg");
  pool = new pg.Pool({ connectionString: url, max: 2 });
});

afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

const clear = () =>
  pool.query(
    `${TABLES.map(({ name }) => `DELETE FROM hap."${name}"`).join("; ")}; DELETE FROM hap.changes; DELETE FROM hap.batches; DELETE FROM hap.dues; DELETE FROM hap.spaces`,
  );

describe("[ENGINE-AGAIN-1, PG-AGAIN-1] a command on PostgreSQL leaves what it leaves in SQLite", () => {
  let open: PgRunAgain | null = null;
  afterEach(() => {
    open?.remove();
    open = null;
  });

  for (const [name, given] of Object.entries(CASES)) {
    it(name, { timeout: 120_000 }, async () => {
      open = new PgRunAgain(given, { url, pool, clear });
      const alone = open.onSqlite("no");
      const after = open.onSqlite("before");
      expect(await open.onPostgres("no", 0), "alone").toEqual(alone);
      const { reads } = open;
      expect(await open.onPostgres("before commit", 0), "the other before our commit").toEqual(after);
      expect(await open.onPostgres("at read", Math.ceil(reads / 2)), "the other at a read").toEqual(after);
    });
  }
});
