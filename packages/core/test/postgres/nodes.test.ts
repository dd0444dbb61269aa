// Several nodes on one PostgreSQL: each decision counts once, waiters hear of it on any node, and the database's own walls hold.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHapError } from "@hap/protocol";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HapEngine } from "../../src/index.ts";
import { DatabaseClock } from "../../src/store/postgres/clock.ts";
import { ClockWitness } from "../../src/store/postgres/clock-witness.ts";
import { importSpace } from "../../src/store/postgres/import-space.ts";
import { PG_SCHEMA } from "../../src/store/postgres/migrate-schema.ts";
import { migrateStore } from "../../src/store/postgres/migrate-store.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { makePool } from "../../src/store/postgres/prepare-database.ts";
import { TestServer } from "./test-server.ts";

const home = mkdtempSync(join(tmpdir(), "hap-nodes-"));
let server: TestServer;
let url = "";
const nodes: HapEngine[] = [];

async function node(space = "default", address = url): Promise<HapEngine> {
  const options = { store: () => openPostgres({ url: address, space, poolSize: 2 }), humanId: "human:alex", home };
  const engine = await HapEngine.open(options);
  nodes.push(engine);
  return engine;
}

beforeAll(async () => {
  server = await TestServer.start();
  url = await server.database();
});

afterAll(async () => {
  for (const engine of nodes) engine.dispose();
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

const ask = { from: "agent:ci", to: "human:alex", summary: "Deploy" };

it("[PG-ROLLING-1] a node works on a newer schema that only adds, and does not start on one that it cannot serve", async () => {
  const own = await server.database();
  const open = () => HapEngine.open({ store: () => openPostgres({ url: own, space: "default" }), humanId: "human:alex", home });
  const before = await open();
  const { id } = await before.later(() => before.createTicket(ask));
  // A newer server has started: its migration adds, and says so.
  await server.run(
    own,
    `ALTER TABLE hap.tickets ADD COLUMN of_the_future text; INSERT INTO hap.migrations (version, oldest) VALUES (${PG_SCHEMA + 1}, ${PG_SCHEMA})`,
  );
  await before.later(() => before.approve(id));
  expect(before.verifyEventLog()).toMatchObject({ ok: true });
  // A server of this version that is started again meanwhile serves as well.
  const again = await open();
  expect(again.getTicket(id).state).toBe("APPROVED");
  const second = await again.later(() => again.createTicket(ask));
  expect(before.getTicket(second.id).state).toBe("PENDING");
  await server.run(own, `INSERT INTO hap.migrations (version, oldest) VALUES (${PG_SCHEMA + 2}, ${PG_SCHEMA + 1})`);
  await expect(open()).rejects.toMatchObject({ code: "store_newer" });
  before.dispose();
  again.dispose();
});

it("[PG-MIGRATE-SCHEMA-1] a database from before quorums gets their column and functions, and keeps its tickets", async () => {
  const own = await server.database();
  const open = () => HapEngine.open({ store: () => openPostgres({ url: own, space: "default" }), humanId: "human:alex", home });
  const first = await open();
  const { id } = await first.later(() => first.createTicket(ask));
  first.dispose();
  await server.run(own, "ALTER TABLE hap.tickets DROP COLUMN quorum; DELETE FROM hap.migrations WHERE version>2");
  const second = await open();
  await second.later(() => second.approve(id));
  await second.later(() => second.createTicket(ask));
  expect(second.verifyEventLog()).toMatchObject({ ok: true });
  second.dispose();
});

describe("nodes of one space", () => {
  it("[PG-START-1] start at once on an empty database, and one of them sets it up", async () => {
    await Promise.all(Array.from({ length: 10 }, () => node()));
    const rows = await server.run(url, "SELECT version FROM hap.migrations");
    expect(rows).toEqual(Array.from({ length: PG_SCHEMA }, (_, at) => ({ version: at + 1 })));
    for (const engine of nodes.splice(2)) engine.dispose();
  });

  it("[PG-ONCE-1] decide a ticket once, whoever comes first", async () => {
    const [one, two] = nodes as [HapEngine, HapEngine];
    for (let round = 0; round < 10; round++) {
      const { id } = await one.later(() => one.createTicket(ask));
      const settled = await Promise.allSettled([one.later(() => one.approve(id)), two.later(() => two.reject(id, "No"))]);
      const won = settled.filter(({ status }) => status === "fulfilled");
      const lost = settled.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
      expect(won).toHaveLength(1);
      expect(lost.map((error) => isHapError(error) && error.code)).toEqual(["already_decided"]);
      expect(one.getTicket(id).state).toBe(two.getTicket(id).state);
    }
    expect(two.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[PG-WAKE-1] wake a waiter of another node, and give both the same log", async () => {
    const [one, two] = nodes as [HapEngine, HapEngine];
    const { id } = await one.later(() => one.createTicket(ask));
    const waiting = two.waitFor(id);
    await one.later(() => one.approve(id, "Fine"));
    expect((await waiting).state).toBe("APPROVED");
    expect(two.head()).toEqual(one.head());
    expect(two.history(id)).toEqual(one.history(id));
  });

  it("[PG-FRESH-1] answer every read from the newest commit, blocking or not", async () => {
    const [one, two] = nodes as [HapEngine, HapEngine];
    const { id } = two.createTicket(ask);
    expect(one.getTicket(id).state).toBe("PENDING");
    two.cancel(id, "Changed my mind");
    expect(one.getTicket(id).state).toBe("CANCELED");
    expect((await one.later(() => one.getTicket(id))).state).toBe("CANCELED");
    const { id: key } = two.createKey({ agent: "agent:ci" }, "human:alex");
    two.revokeKey(key, "human:alex");
    expect(one.listKeys().find((entry) => entry.id === key)?.revoked_at).not.toBeNull();
  });

  it("[PG-LEASE-1] end a lease once, by the database's time", async () => {
    const [one, two] = nodes as [HapEngine, HapEngine];
    const { id } = await one.later(() => one.createTicket({ ...ask, lease: { ttl_seconds: 1 } }));
    const ends = await Promise.all([one.waitFor(id), two.waitFor(id)]);
    expect(ends.map(({ state }) => state)).toEqual(["EXPIRED", "EXPIRED"]);
    expect(one.getEvents({ ticket: id }).filter(({ type }) => type === "ticket.timeout")).toHaveLength(1);
  });
});

describe("a timer's yes", () => {
  it("[LEASE-NODES-1] holds on a node that watched since the delivery, and not on one that started later", async () => {
    const [one, two] = nodes as [HapEngine, HapEngine];
    const shown = async () => {
      const lease = { ttl_seconds: 1, on_timeout: "auto_approve" as const };
      const { id } = await one.later(() => one.createTicket({ to: "human:alex", file: "src/a.ts", lease }));
      await one.later(() => one.deliver(id));
      return id;
    };
    // The second node alone waits, so that it applies the lease.
    expect(await two.waitFor(await shown())).toMatchObject({ state: "APPROVED" });
    const id = await shown();
    const late = await node();
    expect(await late.waitFor(id)).toMatchObject({ state: "EXPIRED" });
    expect(two.verifyEventLog()).toMatchObject({ ok: true });
  });
});

describe("the database", () => {
  it("[PG-ROLE-1] lets the application's role change no event and delete no text", async () => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query("SET ROLE hap_app");
      await client.query("SELECT set_config('hap.space', 'default', false)");
      for (const sql of [
        "UPDATE hap.events SET hash=''",
        "DELETE FROM hap.events",
        "DELETE FROM hap.contents",
        "TRUNCATE hap.events",
      ])
        await expect(client.query(sql), sql).rejects.toMatchObject({ code: "42501" });
      await client.query("RESET ROLE; SET ROLE hap_eraser");
      await expect(client.query("DELETE FROM hap.tickets")).rejects.toMatchObject({ code: "42501" });
    } finally {
      await client.end();
    }
  });

  it("[PG-SPACE-1] shows a space no row of another", async () => {
    const other = await node("team-b");
    const { id } = await other.later(() => other.createTicket({ ...ask, summary: "Of team b" }));
    const [one] = nodes as [HapEngine];
    expect(() => one.getTicket(id)).toThrow(expect.objectContaining({ code: "ticket_not_found" }));
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query("SET ROLE hap_app");
      const count = async () => (await client.query("SELECT count(*)::int AS n FROM hap.tickets WHERE id=$1", [id])).rows[0].n;
      expect(await count()).toBe(0);
      await client.query("SELECT set_config('hap.space', 'default', false)");
      expect(await count()).toBe(0);
      await client.query("SELECT set_config('hap.space', 'team-b', false)");
      expect(await count()).toBe(1);
      await expect(client.query("INSERT INTO hap.config (space, key, value) VALUES ('default', 'x', 'y')")).rejects.toMatchObject(
        { code: "42501" },
      );
    } finally {
      await client.end();
    }
  });

  it("[PG-BATCH-1] applies a batch that is sent twice once", async () => {
    const pool = makePool(url, 1);
    try {
      const { rows } = await pool.query("SELECT version, batch FROM hap.spaces WHERE space='team-b'");
      const changes = JSON.stringify({ put: { config: [{ key: "twice", value: "1" }] } });
      const values = ["team-b", rows[0].version, rows[0].batch, "batch-1", '[["config","twice"]]', changes];
      const send = () => pool.query("SELECT hap.commit($1, $2, $3, $4, NULL, $5, $6) AS answer", values);
      const first = (await send()).rows[0].answer;
      const second = (await send()).rows[0].answer;
      expect(first).toMatchObject({ version: Number(rows[0].version) + 1 });
      expect(second).toMatchObject({ applied: first.version });
      const late = [...values.slice(0, 3), "batch-2", ...values.slice(4)];
      const lost = (await pool.query("SELECT hap.commit($1, $2, $3, $4, NULL, $5, $6) AS answer", late)).rows[0].answer;
      expect(lost.delta).toMatchObject({ version: first.version, keys: [["config", "twice"]] });
    } finally {
      await pool.end();
    }
  });

  it("[PG-TIME-1] refuses a commit by a clock that is wrong, and a node takes the database's time", async () => {
    const pool = makePool(url, 1);
    try {
      const { rows } = await pool.query("SELECT version, batch FROM hap.spaces WHERE space='team-b'");
      const values = ["team-b", rows[0].version, rows[0].batch, "batch-3", Date.now() + 60_000, "[]", "{}"];
      const { answer } = (await pool.query("SELECT hap.commit($1, $2, $3, $4, $5, $6, $7) AS answer", values)).rows[0];
      expect(answer).toMatchObject({ clock: true });
    } finally {
      await pool.end();
    }
    const clock = new DatabaseClock(new ClockWitness(), () => 0);
    clock.learn(1_000_000);
    expect(Math.abs(clock.now() - 1_000_000)).toBeLessThan(1_000);
    expect(new DatabaseClock(new ClockWitness(), () => 9e15).now()).toBe(9e15);
  });
});

describe("migrating", () => {
  it("[PG-MIGRATE-1] copies a store into a space and back, byte for byte", async () => {
    const from = join(home, "from.db");
    const before = new HapEngine({ dbPath: from, home, humanId: "human:alex" });
    const { id } = before.createTicket({ ...ask, summary: "Ünïcode \u{1f600}" });
    before.approve(id, "Yes");
    before.createTicket({ ...ask, lease: { ttl_seconds: 3_600 } });
    before.createKey({ agent: "agent:ci" }, "human:alex");
    const head = before.head();
    before.dispose();
    const pool = makePool(url, 1);
    try {
      const imported = await importSpace({ from, space: "moved", pool, path: "the test" }).catch((error) => error);
      // The log names its space: it can only be opened as that.
      expect(imported).toMatchObject({ code: "invalid_input" });
      const fresh = await server.database();
      (await openPostgres({ url: fresh, space: "other" })).store.close();
      const there = makePool(fresh, 1);
      const result = await importSpace({ from, space: "default", pool: there, path: "the test" });
      expect(result).toMatchObject({ events: head.seq, head: head.hash });
      // Run again: what is there stays as it is.
      const again = await importSpace({ from, space: "default", pool: there, path: "the test" });
      expect(again).toMatchObject({ events: head.seq, head: head.hash });
      await there.end();
      const moved = await node("default", fresh);
      expect(moved.verifyEventLog()).toMatchObject({ ok: true, events: head.seq });
      expect(moved.head()).toEqual(head);
      expect(moved.getTicket(id).intent.summary).toBe("Ünïcode \u{1f600}");
      const report = moved.backup(join(home, "back.db"));
      expect(report).toMatchObject({ head: head.hash });
      const back = new HapEngine({ dbPath: join(home, "back.db"), home, humanId: "human:alex" });
      expect(back.head()).toEqual(head);
      expect(back.verifyEventLog()).toMatchObject({ ok: true });
      back.dispose();
      await moved.later(() => moved.createTicket(ask));
      expect(moved.verifyEventLog()).toMatchObject({ ok: true });
    } finally {
      await pool.end();
    }
  });

  it("[PG-MIGRATE-2] copies while the file is written, and what is new when it is run again", async () => {
    const from = join(home, "live.db");
    const live = new HapEngine({ dbPath: from, home, humanId: "human:alex" });
    const fresh = await server.database();
    // It verifies the copy, which must end as the file does.
    const copy = (progress?: () => void) => migrateStore(from, { url: fresh, space: "default", progress });
    const same = () => ({ events: live.head().seq, head: live.head().hash });
    try {
      const tickets = Array.from({ length: 5 }, () => live.createTicket({ ...ask, summary: "Before" }));
      const [approved, erased, canceled] = tickets.map(({ id }) => id) as [string, string, string];
      let parts = 0;
      const first = await copy(() => {
        // Between two parts of the first step: an old ticket changes, a new one comes.
        if (++parts !== 1) return;
        live.approve(approved, "Meanwhile");
        live.createTicket({ ...ask, summary: "Meanwhile" });
      });
      expect(first).toMatchObject(same());
      live.erase({ ticket: erased, by: "human:alex" });
      live.cancel(canceled, "Later");
      live.createKey({ agent: "agent:ci" }, "human:alex");
      expect(await copy()).toMatchObject(same());
      const moved = await node("default", fresh);
      expect(moved.getTicket(approved)).toMatchObject({ state: "APPROVED", resolution: { comment: "Meanwhile" } });
      expect(moved.getTicket(canceled).state).toBe("CANCELED");
      expect(moved.listKeys()).toHaveLength(1);
      // Once the space is written to itself, a copy would undo that.
      await moved.later(() => moved.createTicket(ask));
      await expect(copy()).rejects.toMatchObject({ code: "invalid_input" });
      await moved.later(() => moved.createTicket(ask));
    } finally {
      live.dispose();
    }
  });
});
