// The PostgreSQL store runs the contract against a real server.
import type { Pool } from "pg";
import { afterAll, beforeAll } from "vitest";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { PgStore } from "../../src/store/postgres/pg-store.ts";
import { makePool } from "../../src/store/postgres/prepare-database.ts";
import { storeContract } from "../store.contract.ts";
import { TestServer } from "./test-server.ts";

let server: TestServer;
let url = "";
let place = 0;
let pool: Pool;

beforeAll(async () => {
  server = await TestServer.start();
  url = await server.database();
  const { store } = await openPostgres({ url, space: "default" });
  store.close();
  await server.run(url, "INSERT INTO hap.spaces (space) SELECT 's' || n FROM generate_series(0, 200) n");
  pool = makePool(url, 2);
});

afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

storeContract("[PG-STORE-1] PostgreSQL", {
  open: () => new PgStore({ url, space: `s${place}`, pool }),
  reset: () => {
    place++;
  },
});
