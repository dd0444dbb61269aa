// Eight processes write and decide at once: no event is lost or doubled, and none of them starves.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { HapEngine } from "@hap/core";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleFixture, nodePath } from "./support/bundle-fixture.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const folder = temporaryFolder();
let writer = "";
let decider = "";
let grantUser = "";

beforeAll(async () => {
  writer = await bundleFixture("writer", folder);
  decider = await bundleFixture("decider", folder);
  grantUser = await bundleFixture("grant-user", folder);
});

function runProgram(program: string, args: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(nodePath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(text.trim().split("\n")) : reject(new Error(`${program} ended with ${code}`)),
    );
  });
}

/** Start a program that goes on until it is killed; what it says is counted from when it is told to. */
function startProgram(program: string, args: string[]) {
  const child = spawn(nodePath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let [text, from] = ["", 0];
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      resolve();
    });
    child.on("error", reject);
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  return {
    ready,
    count: () => {
      from = text.length;
    },
    end: async () => {
      const counted = text.slice(from);
      child.kill("SIGKILL");
      await ended;
      return counted.split("\n").filter((line) => line.startsWith("created ")).length;
    },
  };
}

describe("eight processes on one store", () => {
  it("[GRANT-ONCE-1] race for the last uses of a grant, and use it exactly as often as it allows", {
    timeout: 120_000,
  }, async () => {
    const path = join(folder, "grants", "hap.db");
    const by = "human:alex";
    const engine = new HapEngine({ dbPath: path, home: folder, humanId: by });
    const scope = { agent: "agent:ci", commands: ["npm install *"], seconds: 3600, uses: 20 };
    const { nonce } = engine.beginGrant(scope, by).statement;
    const grant = engine.createGrant({ nonce, by, phrase: engine.issueGrantPhrase(nonce, by).phrase });
    const runs = await Promise.all(Array.from({ length: 8 }, (_, at) => runProgram(grantUser, [path, `p${at}`, "8"])));
    const used = runs.map((lines) => Number(lines.at(-1)?.split(" ")[1]));
    expect(used.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(engine.grant(grant.id)).toMatchObject({ used: 20, left: 0, state: "spent" });
    expect(engine.grant(grant.id).journal).toHaveLength(20);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    engine.dispose();
  });

  it("[STORE-FAIR-1] append every event exactly once, and each gets its turn", { timeout: 180_000 }, async () => {
    const path = join(folder, "many", "hap.db");
    const each = 60;
    const runs = await Promise.all(Array.from({ length: 8 }, (_, at) => runProgram(writer, [path, `p${at}`, String(each)])));
    const engine = new HapEngine({ dbPath: path, home: folder });
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    for (const [at, lines] of runs.entries()) {
      expect(lines.at(-1)).toBe("done");
      const created = lines.filter((line) => line.startsWith("created ")).map((line) => line.split(" ")[1]);
      expect(new Set(created).size).toBe(each);
      let found = 0;
      for (let cursor: string | undefined; ; ) {
        const page = engine.list({ from: `agent:p${at}`, ...(cursor === undefined ? {} : { cursor }) });
        found += page.tickets.length;
        if (page.next === null) break;
        cursor = page.next;
      }
      expect(found).toBe(each);
    }
    // create 1, approve and reject deliver + sign + resolve 3 each, ack deliver + ack 2: 3 of 4 tickets; the genesis, and the person's name.
    const perWriter = each + (each / 4) * (3 + 3 + 2);
    expect(engine.verifyEventLog({ chainOnly: true }).events).toBe(8 * perWriter + 2);
    engine.dispose();
  });

  it("[STORE-FAIR-1] give each of eight busy writers its share of the lock", { timeout: 120_000 }, async () => {
    const path = join(folder, "fair", "hap.db");
    const writers = Array.from({ length: 8 }, (_, at) => startProgram(writer, [path, `f${at}`]));
    await Promise.all(writers.map(({ ready }) => ready));
    // Only while all of them are there: whoever starts first on a busy machine has the store to itself for a while.
    for (const { count } of writers) count();
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const counts = await Promise.all(writers.map(({ end }) => end()));
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(Math.min(...counts), `tickets each: ${counts.join(", ")}`).toBeGreaterThan(mean / 4);
  });

  it("[DECIDE-RACE-1] let one of two deciders win, and tell the other who did", { timeout: 120_000 }, async () => {
    const path = join(folder, "deciders", "hap.db");
    const engine = new HapEngine({ dbPath: path, home: folder });
    const ids = Array.from(
      { length: 40 },
      (_, at) =>
        engine.createTicket({ to: "human:alex", kind: "run_command", summary: `race ${at}`, details: { command: "ls" } }).id,
    );
    const [left = [], right = []] = await Promise.all([
      runProgram(decider, [path, "approve", ...ids]),
      runProgram(decider, [path, "reject", ...ids]),
    ]);
    for (const [at, id] of ids.entries()) {
      const { state, resolution } = engine.getTicket(id);
      const [a, b] = [left[at] ?? "", right[at] ?? ""];
      expect([a.startsWith("won"), b.startsWith("won")].filter(Boolean)).toHaveLength(1);
      expect(state).toBe(a.startsWith("won") ? "APPROVED" : "REJECTED");
      const loser = a.startsWith("won") ? b : a;
      expect(loser).toContain("already_decided");
      expect(loser).toContain(resolution?.outcome);
      expect(loser).toContain("human:alex");
    }
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    engine.dispose();
  });
});
