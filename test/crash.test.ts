// Killed at any moment: whatever a call acknowledged is there, the chain verifies, and leases go on.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { HapEngine } from "@hap/core";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleFixture, nodePath } from "./support/bundle-fixture.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const KILLS = 200;
const folder = temporaryFolder();
let writer = "";

beforeAll(async () => {
  writer = await bundleFixture("writer", folder);
});

type Acknowledged = { what: string; id: string };

/** Start a writer, kill it a random while after one of its first commands, and collect what it was told. */
function writeAndKill(path: string, name: string, seed: number): Promise<Acknowledged[]> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(nodePath, [writer, path, name], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    let armed = false;
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (chunk: string) => {
      text += chunk;
      // One in four is killed around its first command, the others while they are at work, however fast that goes.
      const wanted = seed % 4 === 0 ? 0 : 1 + (seed % 3);
      if (armed || text.split(" tk_").length - 1 < wanted) return;
      armed = true;
      setTimeout(() => child.kill("SIGKILL"), seed % 60);
    });
    child.on("error", reject);
    child.on("close", () => {
      // The last line may be cut by the kill: only whole lines were acknowledged.
      const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
      resolve(
        lines
          .filter((line) => line.includes(" tk_"))
          .map((line) => ({ what: line.split(" ")[0] ?? "", id: line.split(" ")[1] ?? "" })),
      );
    });
  });
}

const states: Record<string, string> = { approved: "APPROVED", rejected: "REJECTED", acked: "ACKED" };

describe("a writer that is killed", () => {
  it(`[STORE-KILL-1] loses nothing that it was told, ${KILLS} times at random moments`, { timeout: 300_000 }, async () => {
    const path = join(folder, "crash", "hap.db");
    let random = 12_345;
    const next = () => {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      return random >>> 8;
    };
    let told = 0;
    for (let kill = 0; kill < KILLS; kill += 4) {
      const rounds = await Promise.all([0, 1, 2, 3].map((at) => writeAndKill(path, `w${kill + at}`, next())));
      const engine = new HapEngine({ dbPath: path, home: folder });
      try {
        for (const { what, id } of rounds.flat()) {
          const ticket = engine.getTicket(id);
          if (states[what] !== undefined) expect(`${id} ${ticket.state}`).toBe(`${id} ${states[what]}`);
          told++;
        }
        expect(engine.verifyEventLog({ chainOnly: true })).toMatchObject({ ok: true });
      } finally {
        engine.dispose();
      }
    }
    const engine = new HapEngine({ dbPath: path, home: folder });
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    expect(told).toBeGreaterThan(KILLS);
    engine.dispose();
  });
});
