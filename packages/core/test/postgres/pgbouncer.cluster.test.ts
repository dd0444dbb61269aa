// Through PgBouncer in transaction mode: the contract of stores, and nodes that share its few sessions.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HapEngine } from "../../src/index.ts";
import { pooled } from "../../src/store/postgres/connection-options.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { PgStore } from "../../src/store/postgres/pg-store.ts";
import { makePool } from "../../src/store/postgres/prepare-database.ts";
import { storeContract } from "../store.contract.ts";
import { PgBouncer } from "./pgbouncer.ts";
import { TestServer } from "./test-server.ts";

const home = mkdtempSync(join(tmpdir(), "hap-bouncer-"));
let server: TestServer;
let bouncer: PgBouncer;
let directUrl = "";
let url = "";
let pool: Pool;
let place = 0;

beforeAll(async () => {
  server = await TestServer.start();
  bouncer = await PgBouncer.before(server.port);
  directUrl = await server.database();
  url = server.url(new URL(directUrl).pathname.slice(1), bouncer.port);
  (await openPostgres({ url, directUrl, space: "default" })).store.close();
  await server.run(directUrl, "INSERT INTO hap.spaces (space) SELECT 's' || n FROM generate_series(0, 200) n");
  pool = makePool(pooled(url), 2);
});

afterAll(async () => {
  await pool?.end();
  await bouncer?.stop();
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

storeContract("[PG-POOLER-1] PostgreSQL behind PgBouncer", {
  open: () => new PgStore({ url: pooled(url), space: `s${place}`, pool }),
  reset: () => {
    place++;
  },
});

describe("[PG-POOLER-1] nodes behind PgBouncer", () => {
  it("decide once, wake each other over the direct connection, and leave no role in a shared session", async () => {
    const open = () =>
      HapEngine.open({ store: () => openPostgres({ url, directUrl, space: "default" }), humanId: "human:alex", home });
    const [one, two] = [await open(), await open()];
    try {
      const ask = { from: "agent:ci", to: "human:alex", summary: "Deploy" };
      for (let round = 0; round < 20; round++) {
        const { id } = await one.later(() => one.createTicket(ask));
        const waiting = two.waitFor(id);
        const ends = await Promise.allSettled([one.later(() => one.approve(id)), two.later(() => two.reject(id, "No"))]);
        expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        expect((await waiting).state).toBe(one.getTicket(id).state);
      }
      expect(one.verifyEventLog()).toMatchObject({ ok: true });
      expect(two.head()).toEqual(one.head());
      const rows = (await pool.query("SELECT current_user AS name")).rows;
      expect(rows).toEqual([{ name: "postgres" }]);
    } finally {
      one.dispose();
      two.dispose();
    }
  });
});
