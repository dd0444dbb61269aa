// A streaming standby takes over: with everything if it is synchronous, with less if it lagged. Nodes reach the database through a line
// that is turned to the new primary, as an address that moves with it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HapEngine } from "../../src/index.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { PgNode } from "../../src/store/postgres/pg-node.ts";
import { LineThread } from "./line-thread.ts";
import { TestServer } from "./test-server.ts";

const home = mkdtempSync(join(tmpdir(), "hap-failover-"));
const ask = { from: "agent:ci", to: "human:alex", summary: "Deploy" };
let primary: TestServer;
let standby: TestServer;
let url = "";
/** Of the nodes, and of the standby. */
let line: LineThread;
let stream: LineThread;
const nodes: HapEngine[] = [];

const node = async () => {
  const store = () => openPostgres({ url, space: "default", poolSize: 2 });
  const engine = await HapEngine.open({ store, humanId: "human:alex", home });
  nodes.push(engine);
  return engine;
};
const epochs = (engine: HapEngine) => engine.getEvents({}).filter(({ type }) => type === "log.epoch").length;
const onPrimary = (sql: string) => primary.run("postgres", sql);
async function until(sql: string): Promise<void> {
  for (;;) if (((await onPrimary(sql)) as { ok: boolean }[])[0]?.ok === true) return;
}

/** A new standby that follows the primary through `stream`. */
async function follow(): Promise<void> {
  stream = await LineThread.to(primary.port);
  standby = await TestServer.standbyOf(stream.port);
  await until("SELECT count(*) = 1 AS ok FROM pg_stat_replication WHERE state='streaming'");
}

async function failOver(): Promise<void> {
  await primary.kill();
  await standby.run("postgres", "SELECT pg_promote(true, 60)");
  await line.turnTo(standby.port);
  await primary.stop();
  await stream.close();
  primary = standby;
}

beforeAll(async () => {
  primary = await TestServer.start();
  line = await LineThread.to(primary.port);
  url = primary.url(new URL(await primary.database()).pathname.slice(1), line.port);
  await node();
  await node();
});

afterAll(async () => {
  for (const engine of nodes) engine.dispose();
  await line?.close();
  await primary?.stop();
  rmSync(home, { recursive: true, force: true });
});

it("[PG-FAILOVER-1] with a synchronous standby no acknowledged write is lost, and no epoch begins", async () => {
  const [one, two] = nodes as [HapEngine, HapEngine];
  await follow();
  await onPrimary("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await onPrimary("SELECT pg_reload_conf()");
  await until("SELECT count(*) = 1 AS ok FROM pg_stat_replication WHERE sync_state='sync'");
  const node = new PgNode({ url });
  expect(await node.durability()).toMatchObject({ survives: "machine" });
  node.close();
  const made = await Promise.all(Array.from({ length: 50 }, () => one.later(() => one.createTicket(ask))));
  const waiting = two.waitFor(made[0]?.id as string);
  const approving = made.slice(0, 25).map(({ id }) => two.later(() => two.approve(id)));
  const approved = await Promise.all(approving);
  await failOver();
  expect((await waiting).state).toBe("APPROVED");
  for (const { id } of approved) expect((await one.later(() => one.getTicket(id))).state).toBe("APPROVED");
  for (const { id } of made) expect(two.getTicket(id).id).toBe(id);
  // Its settings came along: it waits for a standby of its own until it is told that there is none.
  await onPrimary("ALTER SYSTEM RESET synchronous_standby_names");
  await onPrimary("SELECT pg_reload_conf()");
  await one.later(() => one.createTicket(ask));
  expect(epochs(one)).toBe(0);
  expect(one.verifyEventLog()).toMatchObject({ ok: true });
});

it("[PG-FAILOVER-2] a standby that lagged takes over: what it lacks is gone everywhere, and one epoch says so", async () => {
  const [one, two] = nodes as [HapEngine, HapEngine];
  const { id: kept } = await one.later(() => one.createTicket(ask));
  await follow();
  const head = one.head();
  await until("SELECT bool_and(replay_lsn >= pg_current_wal_lsn()) AS ok FROM pg_stat_replication");
  await stream.silence(true);
  const { id: lost } = await one.later(() => one.createTicket(ask));
  const waiting = expect(two.waitFor(lost)).rejects.toMatchObject({ code: "ticket_not_found" });
  await one.later(() => one.approve(kept));
  await failOver();
  await waiting;
  expect((await one.later(() => one.getTicket(kept))).state).toBe("PENDING");
  await two.later(() => two.reject(kept, "No"));
  expect((await one.later(() => one.getTicket(kept))).state).toBe("REJECTED");
  expect(epochs(one)).toBe(1);
  expect(one.getEvents({}).find(({ seq }) => seq === head.seq)?.hash).toBe(head.hash);
  expect(two.verifyEventLog()).toMatchObject({ ok: true });
});
