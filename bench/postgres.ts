// Cycles on PostgreSQL: an agent opens a durable ticket and waits, a person decides, the waiter wakes. Beside raw commits, pg-boss and
// DBOS on the same database server, and the embedded store. Installs both peers into a temporary folder.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { HapEngine } from "@hap/core";
import { PgNode } from "@hap/core/postgres";
import pg from "pg";
import { TestServer } from "../packages/core/test/postgres/test-server.ts";
import { withHapCycle } from "./cycles.ts";
import { type Benchmark, compare, cyclesPerSecond, median, percentile, type Result, withFolder } from "./measure.ts";

const ROUNDS = 3;
/** The newest of each that installs. */
const PEERS = ["pg-boss@12.35.0", "@dbos-inc/dbos-sdk@5.3.0"];
const ask = {
  from: "agent:bench",
  to: "human:alex",
  summary: "Run the tests",
  kind: "run_command",
  details: { command: "npm test" },
};

type Cycle = () => Promise<void>;
type Peer = { cycle: Cycle; close: () => Promise<void> };

export const postgresCycles: Benchmark = {
  name: "postgres",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const server = await TestServer.start();
      const close: (() => Promise<void> | void)[] = [() => server.stop()];
      try {
        const url = await server.database();
        const nodes = [await PgNode.open({ url }, "default"), await PgNode.open({ url }, "default")] as const;
        for (const node of nodes) close.unshift(() => node.close());
        const open = (space: string): [HapEngine, HapEngine] => {
          const [first, second] = nodes.map(
            (node) => new HapEngine({ store: node.store(space), humanId: "human:alex", home: folder }),
          );
          for (const engine of [first, second]) close.unshift(() => engine?.dispose());
          return [first as HapEngine, second as HapEngine];
        };
        const [one, two] = open("default");
        const spaces = await openSpaces(url, 16, open);
        const raw = await rawCommits(server, close);
        const peers = await startPeers(folder, server, close);
        const rates = new Map<string, number[]>();
        const measure = async (name: string, count: number, concurrent: number, cycle: Cycle) => {
          const rate = await cyclesPerSecond(count, concurrent, cycle);
          rates.set(name, [...(rates.get(name) ?? []), rate]);
        };
        const few = quick ? 50 : 200;
        const many = quick ? 200 : 1_000;
        await withHapCycle(folder, async (embedded) => {
          for (let round = 0; round <= ROUNDS; round++) {
            await measure("raw 32", many, 32, raw);
            await measure("embedded 32", many, 32, embedded);
            await measure("one node 1", few, 1, between(one, one));
            await measure("one node 32", many, 32, between(one, one));
            await measure("two nodes 32", many, 32, between(one, two));
            await measure("16 spaces, affinity 32", many, 32, inTurn(spaces.map(([first]) => between(first, first))));
            await measure("16 spaces, shared 32", many, 32, inTurn(spaces.map(([first, second]) => between(first, second))));
            await measure("pg-boss 32", many, 32, peers.boss.cycle);
            await measure("DBOS 32", many, 32, peers.dbos.cycle);
            // The first round warms everything up.
            if (round === 0) rates.clear();
          }
        });
        return [...report(rates), ...(await wakeUps(one, two, few))];
      } finally {
        for (const end of close) await end();
      }
    }),
};

/** A cycle that is opened and waited for on one node and decided on another. */
function between(agent: HapEngine, person: HapEngine): Cycle {
  return async () => {
    const { id } = await agent.later(() => agent.createTicket(ask));
    await Promise.all([agent.waitFor(id), person.later(() => person.approve(id, "go on"))]);
  };
}

function inTurn(cycles: readonly Cycle[]): Cycle {
  let at = 0;
  return () => (cycles[at++ % cycles.length] as Cycle)();
}

async function openSpaces(url: string, count: number, open: (space: string) => [HapEngine, HapEngine]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const names = Array.from({ length: count }, (_, at) => `team-${at}`);
  await client.query("INSERT INTO hap.spaces (space) SELECT unnest($1::text[])", [names]);
  await client.end();
  return names.map(open);
}

/** The limit: two commits a cycle, each of one row and with the settings of production. */
async function rawCommits(server: TestServer, close: (() => Promise<void> | void)[]): Promise<Cycle> {
  const pool = new pg.Pool({ connectionString: await server.database(), max: 32 });
  close.unshift(() => pool.end());
  await pool.query("CREATE TABLE rows (id bigserial PRIMARY KEY, body text)");
  const body = "x".repeat(1_500);
  return async () => {
    await pool.query("INSERT INTO rows (body) VALUES ($1)", [body]);
    await pool.query("INSERT INTO rows (body) VALUES ($1)", [body]);
  };
}

async function startPeers(folder: string, server: TestServer, close: (() => Promise<void> | void)[]) {
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...PEERS], { cwd: folder, stdio: "ignore" });
  const start = async (name: string, source: string): Promise<Peer> => {
    writeFileSync(join(folder, `${name}.mjs`), source);
    const module = (await import(join(folder, `${name}.mjs`))) as { start: (url: string) => Promise<Peer> };
    const peer = await module.start(await server.database());
    close.unshift(() => peer.close());
    return peer;
  };
  return { boss: await start("boss", bossSource), dbos: await start("dbos", dbosSource) };
}

/** A request is a job, the answer another one; both queues notify, workers fetch batches, and one listener serves every waiter. */
const bossSource = `
import { randomUUID } from "node:crypto";
import { PgBoss } from "pg-boss";
export async function start(connectionString) {
  const boss = new PgBoss({ connectionString, max: 16, useListenNotify: true });
  boss.on("error", () => {});
  await boss.start();
  for (const name of ["requests", "answers"]) await boss.createQueue(name, { notify: true });
  const waiting = new Map();
  const options = { batchSize: 32, localConcurrency: 4, pollingIntervalSeconds: 0.5 };
  await boss.work("requests", options, (jobs) =>
    boss.insert("answers", jobs.map(({ data }) => ({ data: { id: data.id, outcome: "approved" } }))));
  await boss.work("answers", options, async (jobs) => {
    for (const { data } of jobs) { waiting.get(data.id)?.(data.outcome); waiting.delete(data.id); }
  });
  return {
    cycle: async () => {
      const id = randomUUID();
      const answered = new Promise((resolve) => waiting.set(id, resolve));
      await boss.send("requests", { id, kind: "run_command", summary: "Run the tests", command: "npm test" });
      await answered;
    },
    close: () => boss.stop({ graceful: false }),
  };
}
`;

/** A request is a workflow that waits for a message; the decision is the message. */
const dbosSource = `
import { DBOS } from "@dbos-inc/dbos-sdk";
export async function start(systemDatabaseUrl) {
  DBOS.setConfig({ name: "bench", systemDatabaseUrl, systemDatabasePoolSize: 16, runAdminServer: false, logLevel: "error" });
  const ask = DBOS.registerWorkflow(async (summary, command) => DBOS.recv("decision", 60), { name: "ask" });
  await DBOS.launch();
  return {
    cycle: async () => {
      const handle = await DBOS.startWorkflow(ask)("Run the tests", "npm test");
      await DBOS.send(handle.workflowID, "approved", "decision");
      await handle.getResult();
    },
    close: () => DBOS.shutdown(),
  };
}
`;

function report(rates: ReadonlyMap<string, number[]>): Result[] {
  const of = (name: string) => median(rates.get(name) ?? []);
  const row = (name: string, key: string, baseline: string, title: string, least: number) =>
    compare({ name, value: of(key), unit: "/s", baseline: { name: title, value: of(baseline) } }, { least });
  return [
    row("cycles on PostgreSQL, one node, 32 at a time", "one node 32", "embedded 32", "embedded SQLite", 0.6),
    row("the same, beside pg-boss", "one node 32", "pg-boss 32", "pg-boss 12.35", 4),
    row("16 spaces that two nodes share, 32 at a time", "16 spaces, shared 32", "pg-boss 32", "pg-boss 12.35", 2),
    plain("16 spaces, each on one node, 32 at a time", "16 spaces, affinity 32", "raw 32"),
    plain("two nodes in one space, 32 at a time", "two nodes 32", "raw 32"),
    plain("cycles on PostgreSQL, one node, 1 at a time", "one node 1", "raw 32"),
    plain("DBOS 5.3, 32 at a time", "DBOS 32", "raw 32"),
  ];

  function plain(name: string, key: string, baseline: string): Result {
    const base = { name: "two raw commits, 32 at a time", value: of(baseline) };
    return { name, value: of(key), unit: "/s", baseline: base, ratio: of(key) / base.value };
  }
}

/** From the call that decides on one node to the waiter's wake-up on the other, the commit included. */
async function wakeUps(agent: HapEngine, person: HapEngine, count: number): Promise<Result[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const { id } = await agent.later(() => agent.createTicket(ask));
    const ended = agent.waitFor(id).then(() => performance.now());
    const began = performance.now();
    await person.later(() => person.approve(id, "go on"));
    times.push((await ended) - began);
  }
  const row = (share: number, most: number): Result => {
    const value = percentile(times, share);
    const name = `wake-up across nodes, p${share * 100}, commit included`;
    return { name, value, unit: "ms", target: `< ${most} ms`, met: value < most };
  };
  return [row(0.5, 5), row(0.99, 20)];
}
