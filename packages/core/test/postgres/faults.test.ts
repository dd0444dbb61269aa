// One fault at a time, each at a chosen moment: an answer that is lost, a killed database, a killed node, a line that breaks while a
// node starts. `npm run test:cluster` has a long run with random ones.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HapEngine } from "../../src/index.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { LineThread } from "./line-thread.ts";
import { TestServer } from "./test-server.ts";

const SCRIPT = fileURLToPath(new URL("../fixtures/pg-node.ts", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "hap-faults-"));
const ask = { from: "agent:ci", to: "human:alex", summary: "Deploy" };
let server: TestServer;
let url = "";
let line: LineThread;
/** Behind the line, and connected directly. */
let one: HapEngine;
let two: HapEngine;

const through = () => server.url(new URL(url).pathname.slice(1), line.port);
const node = (address: string) =>
  HapEngine.open({ store: () => openPostgres({ url: address, space: "default", poolSize: 2 }), humanId: "human:alex", home });
const version = async () =>
  Number(((await server.run(url, "SELECT version FROM hap.spaces")) as { version: string }[])[0]?.version);
const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeAll(async () => {
  server = await TestServer.start();
  url = await server.database();
  line = await LineThread.to(server.port);
  one = await node(through());
  two = await node(url);
});

afterAll(async () => {
  one?.dispose();
  two?.dispose();
  await line?.close();
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

it("[PG-FAULT-1] a commit whose answer is lost is applied once, and acknowledged", async () => {
  await one.later(() => one.createTicket(ask));
  const before = await version();
  await line.loseAnswers(true);
  const creating = one.later(() => one.createTicket({ ...ask, summary: "Once" }));
  while ((await version()) === before) await turn();
  await line.loseAnswers(false);
  const { id } = await creating;
  expect(two.listPending({ to: "human:alex" }).filter(({ intent }) => intent.summary === "Once")).toMatchObject([{ id }]);
  const approving = one.later(() => one.approve(id));
  const rejecting = two.later(() => two.reject(id, "No"));
  const ends = await Promise.allSettled([approving, rejecting]);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

it("[PG-FAULT-2] a killed database loses no acknowledged write, and whoever waits is answered once it is back", async () => {
  const { id } = await one.later(() => one.createTicket(ask));
  const waiting = two.waitFor(id);
  await server.kill();
  // Asked while it is down: tried again until it is back.
  const meanwhile = one.later(() => one.createTicket({ ...ask, summary: "Meanwhile" }));
  await server.resume();
  const made = await meanwhile;
  await one.later(() => one.approve(id, "Fine"));
  expect(await waiting).toMatchObject({ state: "APPROVED" });
  expect(two.getTicket(made.id).state).toBe("PENDING");
  expect(two.verifyEventLog()).toMatchObject({ ok: true });
});

it("[PG-FAULT-3] a node that is killed loses nothing that it acknowledged", async () => {
  const child = spawn(process.execPath, [SCRIPT, url, home, "killed"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let said = "";
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (data) => {
      said += String(data);
      if (said.split('"op":"decide"').length > 3) resolve();
    });
  });
  child.kill("SIGKILL");
  await ended;
  const answers = said
    .split("\n")
    .slice(0, -1)
    .map((text) => JSON.parse(text) as { op: string; id: string; state?: string });
  const decided = new Map(answers.filter(({ op }) => op === "decide").map(({ id, state }) => [id, state]));
  for (const { id } of answers.filter(({ op }) => op === "create")) expect(two.getTicket(id).id).toBe(id);
  for (const [id, state] of decided) expect(two.getTicket(id).state).toBe(state);
  expect(two.verifyEventLog()).toMatchObject({ ok: true });
});

it("[PG-FAULT-4] a line that breaks while a node starts is reported as such, and a second try starts it", async () => {
  for (const text of ["user", "to_regclass", "SET ROLE", "FROM hap.spaces"]) {
    await line.cutBefore(text);
    await expect(node(through()), text).rejects.toMatchObject({ code: "store_busy" });
  }
  await line.cutBefore(null);
  (await node(through())).dispose();
});
