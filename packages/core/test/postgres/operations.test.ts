// What operators meet: a failover to a standby that lagged, a database that takes reads only, more calls than can be taken, nodes that
// take turns. The standby is a copy of the database that is put in its place, which is what a node sees of it; `npm run test:cluster`
// has a streaming one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PolicyVersion } from "@hap/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HapEngine } from "../../src/index.ts";
import { durabilityOf } from "../../src/store/postgres/durability.ts";
import { archiveSpace, PgNode } from "../../src/store/postgres/index.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { makePool } from "../../src/store/postgres/prepare-database.ts";
import { savePolicy } from "../confirm-policy.ts";
import { TestServer } from "./test-server.ts";

const home = mkdtempSync(join(tmpdir(), "hap-failover-"));
const ask = { from: "agent:ci", to: "human:alex", summary: "Deploy" };
let server: TestServer;
let url = "";
let one: HapEngine;
let two: HapEngine;
const name = () => new URL(url).pathname.slice(1);
const leave = (database: string) =>
  server.run("postgres", `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname='${database}'`);

const node = (address = url, mostQueued?: number) =>
  HapEngine.open({
    store: () => openPostgres({ url: address, space: "default", poolSize: 2, mostQueued }),
    humanId: "human:alex",
    home,
  });
/** Statements that need the database without connections: nodes connect again at once, so these are tried until they fit between. */
async function alone(...statements: string[]): Promise<void> {
  await server.run("postgres", `ALTER DATABASE ${name()} ALLOW_CONNECTIONS false`);
  for (const sql of statements) {
    await leave(name());
    for (;;) {
      try {
        await server.run("postgres", sql);
        break;
      } catch (error) {
        if ((error as { code?: string }).code !== "55006") throw error;
      }
    }
  }
}
/** What a standby has now. */
const keepBehind = async () => {
  await alone(`CREATE DATABASE ${name()}_behind TEMPLATE ${name()}`);
  await server.run("postgres", `ALTER DATABASE ${name()} ALLOW_CONNECTIONS true`);
};
const failOver = async () => {
  await server.run("postgres", `DROP DATABASE IF EXISTS ${name()}_gone`);
  await alone(`ALTER DATABASE ${name()} RENAME TO ${name()}_gone`);
  await server.run("postgres", `ALTER DATABASE ${name()}_behind RENAME TO ${name()}`);
  await server.run("postgres", `ALTER DATABASE ${name()} ALLOW_CONNECTIONS true`);
};
const epochs = (engine: HapEngine) =>
  engine.getEvents({}).flatMap(({ payload }) => (payload.type === "log.epoch" ? [payload] : []));

beforeAll(async () => {
  server = await TestServer.start();
  url = await server.database();
  one = await node();
  two = await node();
});

afterAll(async () => {
  one?.dispose();
  two?.dispose();
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

it("[PG-EPOCH-1] nodes drop all they remember and begin one new epoch, and waiters for lost tickets are told", async () => {
  const { id: kept } = await one.later(() => one.createTicket(ask));
  await keepBehind();
  const { id: lost } = await one.later(() => one.createTicket({ ...ask, summary: "Lost" }));
  await one.later(() => one.approve(kept));
  const [head] = [two.head()];
  const waiting = expect(two.waitFor(lost)).rejects.toMatchObject({ code: "ticket_not_found" });
  await failOver();
  await waiting;
  // The decision is lost too: the ticket waits again, on every node, and can be decided once.
  expect((await one.later(() => one.getTicket(kept))).state).toBe("PENDING");
  await one.later(() => one.reject(kept, "No"));
  expect((await two.later(() => two.getTicket(kept))).state).toBe("REJECTED");
  await two.later(() => two.createTicket(ask));
  expect(epochs(one)).toMatchObject([{ reason: "failover", epoch: 2 }]);
  expect(two.head()).toEqual(one.head());
  expect(() => one.getEvents({ after: head?.cursor as string })).toThrow(expect.objectContaining({ code: "cursor_forked" }));
  expect(two.verifyEventLog()).toMatchObject({ ok: true });
});

it("[PG-EPOCH-2] a history that grew past the lost one is recognised, and one that is only far ahead is not", async () => {
  const before = epochs(one).length;
  await keepBehind();
  const { id: lost } = await two.later(() => two.createTicket({ ...ask, summary: "Lost" }));
  two.getTicket(lost);
  one.dispose();
  await failOver();
  // Another node, which knows nothing of the lost history, brings the version further than the lost one was.
  one = await node();
  for (let round = 0; round < 3; round++) await one.later(() => one.createTicket(ask));
  expect(() => two.getTicket(lost)).toThrow(expect.objectContaining({ code: "ticket_not_found" }));
  await two.later(() => two.createTicket(ask));
  expect(epochs(two)).toHaveLength(before + 1);
  // So many commits by others that their journal is pruned: the space is loaded again, and no epoch begins.
  await server.run(url, "DELETE FROM hap.changes");
  await one.later(() => one.createTicket(ask));
  await two.later(() => two.createTicket(ask));
  expect(epochs(two)).toHaveLength(before + 1);
  expect(two.verifyEventLog()).toMatchObject({ ok: true });
});

const rule = (why: string, roles = {}) =>
  JSON.stringify({ version: 1, roles, rules: [{ id: "tests", match: { command: "npm test" }, verdict: "allow", why }] });

it("[POLICY-DATABASE-1] a space has its policy in the database: the same on every node, confirmed, and no file of a node counts", async () => {
  const [a, b] = [await node(), await node()];
  try {
    expect(() => a.userPolicyStatus()).toThrow(expect.objectContaining({ code: "invalid_policy" }));
    // A file that would have loosened or tightened on one node alone.
    mkdirSync(join(home, ".hap"), { recursive: true });
    writeFileSync(join(home, ".hap", "policy.json"), rule("of the file").replace("allow", "deny"));
    const command = { kind: "run_command", details: { command: "npm test" } };
    expect(a.checkPolicy(command).verdict.verdict).toBe("ask");
    const { hash: first } = savePolicy(a, { text: rule("first"), replaces: null });
    expect(b.checkPolicy(command).verdict).toMatchObject({ verdict: "allow", why: "first" });
    expect(b.userPolicyStatus()).toMatchObject({ hash: first, trusted: true, text: rule("first") });
    // Two people save at the same time: the second has not seen what the first wrote.
    savePolicy(b, { text: rule("second"), replaces: first });
    expect(() => savePolicy(a, { text: rule("third"), replaces: first })).toThrow("has changed since you read it");
    expect(a.checkPolicy(command).verdict.why).toBe("second");
    expect(a.verifyEventLog()).toMatchObject({ ok: true });
  } finally {
    rmSync(join(home, ".hap", "policy.json"), { force: true });
    a.dispose();
    b.dispose();
  }
});

it("[POLICY-VERSIONS-1] the policies that were confirmed are listed and can be exported word for word", async () => {
  const engine = await node();
  try {
    const [second, first] = engine.policyVersions() as [PolicyVersion, PolicyVersion];
    expect(second).toMatchObject({ by: "human:alex", in_force: true, text_kept: true });
    expect(first).toMatchObject({ in_force: false });
    expect(engine.policyVersion(first.hash)).toEqual({ hash: first.hash, text: rule("first") });
    expect(engine.policyVersion(first.hash.slice(7, 19)).text).toBe(rule("first"));
    expect(() => engine.policyVersion("0000")).toThrow(expect.objectContaining({ code: "invalid_policy" }));
    // A person whom an older policy named is deleted: its text goes, the event stays.
    const named = savePolicy(engine, { text: rule("third", { approver: ["human:kim"] }), replaces: second.hash });
    savePolicy(engine, { text: rule("fourth"), replaces: named.hash });
    const { phrase } = engine.issueDeletionPhrase("human:kim", "human:alex");
    engine.deletePerson("human:kim", "human:alex", { mentions: "erase", phrase });
    expect(engine.policyVersions().map(({ text_kept }) => text_kept)).toEqual([true, false, true, true]);
    expect(() => engine.policyVersion(named.hash)).toThrow(expect.objectContaining({ code: "content_erased" }));
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  } finally {
    engine.dispose();
  }
});

it("[PG-ERASE-1] an erased text is gone for every reader, its table is vacuumed, and the report says what is to come", async () => {
  const engine = await node();
  try {
    const { id } = await engine.later(() => engine.createTicket({ ...ask, summary: "Secret-in-a-summary" }));
    await engine.later(() => engine.erase({ ticket: id, by: "human:alex" }));
    const rows = await server.run(url, "SELECT 1 FROM hap.contents WHERE body LIKE '%Secret-in-a-summary%'");
    expect(rows).toEqual([]);
    expect(engine.erasurePending()).toContain("write-ahead log");
    const vacuumed = "SELECT vacuum_count > 0 AS ok FROM pg_stat_user_tables WHERE schemaname='hap' AND relname='contents'";
    while (((await server.run(url, vacuumed)) as { ok: boolean }[])[0]?.ok !== true);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  } finally {
    engine.dispose();
  }
});

it("[PG-DURABLE-1] says what becomes of acknowledged writes, and promises no more than the database's settings do", async () => {
  const settings = { fsync: "on", full_page_writes: "on", synchronous_commit: "on", standbys: "" };
  const survives = (changed: Partial<typeof settings>) => durabilityOf({ ...settings, ...changed }).survives;
  expect(survives({})).toBe("crash");
  expect(survives({ standbys: "FIRST 1 (b)" })).toBe("machine");
  expect(survives({ standbys: "FIRST 1 (b)", synchronous_commit: "remote_apply" })).toBe("machine");
  expect(survives({ standbys: "FIRST 1 (b)", synchronous_commit: "local" })).toBe("crash");
  expect(survives({ standbys: "FIRST 1 (b)", synchronous_commit: "off" })).toBe("nothing");
  expect(survives({ fsync: "off" })).toBe("nothing");
  expect(durabilityOf({ ...settings, fsync: "off", full_page_writes: "off" }).words).toContain(
    "fsync and full_page_writes are off",
  );
  const opened = await PgNode.open({ url });
  try {
    expect(await opened.durability()).toMatchObject({
      survives: "crash",
      words: expect.stringContaining("no synchronous standby"),
    });
  } finally {
    opened.close();
  }
});

describe("a database that takes reads only", () => {
  let address = "";
  let engine: HapEngine;
  const set = async (value: string) => {
    const database = new URL(address).pathname.slice(1);
    await server.run("postgres", `ALTER DATABASE ${database} SET default_transaction_read_only = ${value}`);
    await leave(database);
  };
  beforeAll(async () => {
    address = await server.database();
    engine = await node(address);
  });
  afterAll(() => engine?.dispose());

  it("[PG-READONLY-1] is read, also by a node that starts then, and refuses writes alone; writable again, it is written", async () => {
    const { id } = await engine.later(() => engine.createTicket({ ...ask, lease: { ttl_seconds: 1 } }));
    await engine.waitFor(id);
    const { id: open } = await engine.later(() => engine.createTicket({ ...ask, lease: { ttl_seconds: 1 } }));
    await set("on");
    const refused = { code: "database_read_only" };
    await expect(engine.later(() => engine.approve(open))).rejects.toMatchObject(refused);
    // A read and a write of one batch: the write alone is refused. A lease that is due meanwhile stops no read.
    const [read, written] = await Promise.allSettled([
      engine.later(() => engine.getTicket(open).id),
      engine.later(() => engine.createTicket(ask)),
    ]);
    expect(read).toMatchObject({ value: open });
    expect(written).toMatchObject({ reason: refused });
    expect(engine.getTicket(open).id).toBe(open);
    expect(() => engine.createTicket(ask)).toThrow(expect.objectContaining(refused));
    const late = await node(address);
    expect(late.getTicket(id).state).toBe("EXPIRED");
    late.dispose();
    await set("off");
    await engine.later(() => engine.createTicket(ask));
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[SPACE-ARCHIVE-2] an archived space is read beside writes that are refused, and written once it is opened again", async () => {
    const { id } = await engine.later(() => engine.createTicket(ask));
    await archiveSpace(address, "default", true);
    const [read, written] = await Promise.allSettled([
      engine.later(() => engine.getTicket(id).id),
      engine.later(() => engine.approve(id)),
    ]);
    expect(read).toMatchObject({ value: id });
    expect(written).toMatchObject({ reason: { code: "space_archived" } });
    await archiveSpace(address, "default", false);
    expect(await engine.later(() => engine.approve(id))).toMatchObject({ state: "APPROVED" });
  });

  it("[PG-BUSY-1] more calls than may wait are told to come back, and those that wait are done", async () => {
    const small = await node(address, 3);
    try {
      const ends = await Promise.allSettled(Array.from({ length: 5 }, () => small.later(() => small.createTicket(ask))));
      expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]);
      expect(ends[4]).toMatchObject({ reason: { code: "overloaded", fields: { retry_after_seconds: 1 } } });
    } finally {
      small.dispose();
    }
  });

  it("[PG-TURN-1] gives a node that lost eight races a turn, and makes others wait without losing a commit that was applied", async () => {
    const pool = makePool(address, 1);
    const commit = async (version: number, batch: string, node: string, losses: number) => {
      const before = (await pool.query("SELECT batch FROM hap.changes WHERE version=$1", [version])).rows[0].batch;
      const values = ["default", version, before, batch, "[]", "{}", node, losses];
      const sql = "SELECT hap.commit_in_turn($1, $2, $3, $4, NULL, $5, $6, $7, $8) AS answer";
      return (await pool.query(sql, values)).rows[0].answer;
    };
    try {
      const at = Number((await pool.query("SELECT version FROM hap.spaces")).rows[0].version);
      expect(await commit(at, "first", "a", 0)).toMatchObject({ version: at + 1 });
      expect(await commit(at, "second", "b", 7)).toHaveProperty("delta");
      expect(await commit(at + 1, "third", "a", 0)).toMatchObject({ version: at + 2 });
      expect(await commit(at + 1, "fourth", "b", 8)).toHaveProperty("delta");
      // The turn must not end while this test looks at it.
      await pool.query("UPDATE hap.spaces SET turn_until = now() + interval '1 hour'");
      expect((await commit(at + 2, "fifth", "a", 0)).wait).toBeGreaterThan(0);
      expect(await commit(at + 2, "third", "a", 0)).toMatchObject({ applied: at + 2 });
      expect(await commit(at + 2, "sixth", "b", 9)).toMatchObject({ version: at + 3 });
      expect(await commit(at + 3, "seventh", "a", 0)).toMatchObject({ version: at + 4 });
    } finally {
      await pool.end();
    }
  });
});
