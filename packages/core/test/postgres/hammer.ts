// Three nodes, each a process behind a line of its own, hammer one space while lines are cut, nodes are killed and the database is
// killed. Then every answer that was given is held against the log.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ticketIdOf } from "@hap/protocol";
import { expect } from "vitest";
import { HapEngine } from "../../src/index.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { type Answer, findViolations } from "./history.ts";
import { Line } from "./line.ts";
import type { TestServer } from "./test-server.ts";

const SCRIPT = fileURLToPath(new URL("../fixtures/pg-node.ts", import.meta.url));

class Node {
  readonly line: Line;
  readonly answers: Answer[] = [];
  readonly #args: string[];
  #child: ChildProcess | null = null;
  #errors = "";

  constructor(line: Line, args: string[]) {
    this.line = line;
    this.#args = args;
  }

  start(): void {
    const child = spawn(process.execPath, [SCRIPT, ...this.#args], { stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    let rest = "";
    child.stdout?.on("data", (data) => {
      const lines = (rest + String(data)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.answers.push(JSON.parse(line) as Answer);
    });
    child.stderr?.on("data", (data) => {
      this.#errors += String(data);
    });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once("close", resolve));
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    else if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`A node ended by itself: ${this.#errors}`);
    await ended;
    this.#child = null;
  }

  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    if (/Error/.test(this.#errors)) throw new Error(`A node failed: ${this.#errors}`);
  }
}

/** What a run of the hammer did. */
export type Hammered = {
  created: number;
  decided: number;
  unknown: number;
  faults: number;
  events: number;
  /** Verifications of the whole log while it was written. */
  verified: number;
  /** Tickets that each node created, and the longest that a call took. */
  shares: number[];
  longestMs: number;
};

/** Hammer for a while, then check. */
export async function hammer(server: TestServer, home: string, seconds: number): Promise<Hammered> {
  const url = await server.database();
  const { pathname } = new URL(url);
  const lines = await Promise.all([1, 2, 3].map(() => Line.to(server.port)));
  const nodes = lines.map((line, at) => new Node(line, [server.url(pathname.slice(1), line.port), home, `n${at}`]));
  for (const node of nodes) node.start();
  const ready = () => nodes.every(({ answers }) => answers.some(({ op }) => op === "ready"));
  while (!ready()) await pause(50);
  const until = Date.now() + seconds * 1_000;
  let faults = 0;
  let verified = 0;
  const watching = await HapEngine.open({ store: () => openPostgres({ url, space: "default" }), humanId: "human:alex", home });
  for (; Date.now() < until; faults++) {
    if (faults % 8 === 7) {
      expect(watching.verifyEventLog()).toMatchObject({ ok: true });
      verified++;
    }
    const node = nodes[Math.floor(Math.random() * nodes.length)] as Node;
    await pause(Math.random() * 600);
    if (faults % 12 === 5) {
      await server.kill();
      await server.resume();
    } else if (faults % 4 === 2) {
      await node.kill();
      node.start();
    } else if (faults % 4 === 3) {
      node.line.silence(true);
      await pause(300);
      node.line.silence(false);
    } else node.line.cut();
  }
  watching.dispose();
  const before = nodes.map(({ answers }) => answers.length);
  // Everybody works again once the faults are over.
  while (!nodes.every(({ answers }, at) => answers.slice(before[at]).some(({ op }) => op === "create"))) await pause(50);
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all(lines.map((line) => line.close()));
  const answers = nodes.flatMap((node) => node.answers).filter(({ op }) => op !== "ready");
  const engine = await HapEngine.open({ store: () => openPostgres({ url, space: "default" }), humanId: "human:alex", home });
  try {
    const shares = nodes.map((node) => node.answers.filter(({ op }) => op === "create").length);
    const longestMs = Math.round(Math.max(...answers.map(({ start, end = start }) => end - start)));
    return { ...check(engine, answers), faults, verified, shares, longestMs };
  } finally {
    engine.dispose();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Hold every answer against the log; a decision is linearizable per ticket. */
function check(engine: HapEngine, answers: readonly Answer[]): Pick<Hammered, "created" | "decided" | "unknown" | "events"> {
  const report = engine.verifyEventLog();
  expect(report).toMatchObject({ ok: true });
  const created = answers.filter(({ op }) => op === "create");
  const decided = answers.filter(({ op }) => op === "decide");
  expect(findViolations(answers, (id) => engine.getTicket(id).state)).toEqual([]);
  const resolved = new Map<string, number>();
  for (let after: string | undefined; ; ) {
    const page = engine.getEvents({ ...(after === undefined ? {} : { after }), limit: 500 });
    for (const { type, payload } of page) {
      const id = ticketIdOf(payload) ?? "";
      if (type === "ticket.resolve") resolved.set(id, (resolved.get(id) ?? 0) + 1);
    }
    if (page.length === 0) break;
    after = page.at(-1)?.cursor;
  }
  expect([...resolved.values()].filter((count) => count > 1)).toEqual([]);
  const unknown = answers.filter(({ op }) => op === "unknown").length;
  return { created: created.length, decided: decided.length, unknown, events: report.events };
}
