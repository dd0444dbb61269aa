// Every supported version of PostgreSQL that is not the one installed: the contract of stores, and two nodes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HapEngine } from "../../src/index.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { PgStore } from "../../src/store/postgres/pg-store.ts";
import { makePool } from "../../src/store/postgres/prepare-database.ts";
import { storeContract } from "../store.contract.ts";
import { fetchPostgres, VERSIONS } from "./postgres-versions.ts";
import { TestServer } from "./test-server.ts";

const home = mkdtempSync(join(tmpdir(), "hap-versions-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

for (const version of Object.keys(VERSIONS).map(Number) as (keyof typeof VERSIONS)[]) {
  describe(`PostgreSQL ${version}`, () => {
    let server: TestServer;
    let url = "";
    let pool: Pool;
    let place = 0;

    beforeAll(async () => {
      server = await TestServer.start(fetchPostgres(version, home));
      url = await server.database();
      (await openPostgres({ url, space: "default" })).store.close();
      await server.run(url, "INSERT INTO hap.spaces (space) SELECT 's' || n FROM generate_series(0, 200) n");
      pool = makePool(url, 2);
    });

    afterAll(async () => {
      await pool?.end();
      await server?.stop();
    });

    storeContract(`[PG-VERSIONS-1] PostgreSQL ${version}`, {
      open: () => new PgStore({ url, space: `s${place}`, pool }),
      reset: () => {
        place++;
      },
    });

    it("[PG-VERSIONS-1] is set up and used by a user without more rights than are documented", async () => {
      const address = await server.database();
      const name = new URL(address).pathname.slice(1);
      await server.run(address, "CREATE ROLE hap_owner LOGIN CREATEROLE");
      await server.run(address, `GRANT CREATE ON DATABASE ${name} TO hap_owner`);
      const owner = address.replace("postgres@", "hap_owner@");
      // Roles belong to the whole server; another database set them up, as another user.
      await server.run(address, "GRANT hap_app, hap_eraser TO hap_owner WITH ADMIN OPTION");
      (await openPostgres({ url: owner, space: "default" })).store.close();
      await server.run(address, "CREATE ROLE hap_node LOGIN IN ROLE hap_app");
      const member = address.replace("postgres@", "hap_node@");
      const open = () =>
        HapEngine.open({ store: () => openPostgres({ url: member, space: "default" }), humanId: "human:alex", home });
      const [one, two] = [await open(), await open()];
      try {
        const { id } = await one.later(() => one.createTicket({ from: "agent:ci", to: "human:alex", summary: "Deploy" }));
        const waiting = two.waitFor(id);
        await one.later(() => one.approve(id));
        expect((await waiting).state).toBe("APPROVED");
        expect(two.verifyEventLog()).toMatchObject({ ok: true });
      } finally {
        one.dispose();
        two.dispose();
      }
    });
  });
}
