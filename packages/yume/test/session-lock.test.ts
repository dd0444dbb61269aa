// The lock of a session with many real processes at once, over what dead ones left behind.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";
import { takeLock } from "../src/session/session-lock.ts";

const program = new URL("./fixtures/lock-taker.mjs", import.meta.url).pathname;
const root = mkdtempSync(join(tmpdir(), "yume-lock-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Taker = { child: ChildProcessWithoutNullStreams; say: (line: string) => void; next: () => Promise<string> };

async function startTaker(): Promise<Taker> {
  const child = spawn(process.execPath, [program], { stdio: "pipe" });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  expect(await next()).toBe("ready");
  return { child, next, say: (line) => child.stdin.write(`${line}\n`) };
}

/** What a process left that is no more; should its number be given again, then to one that started later. */
function leaveLock(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, `${spawnSync("/bin/true").pid}.1.dead`), "held");
}

describe("the lock of a session", () => {
  it("[YUME-SESSION-5] goes to exactly one of many that find a dead holder's at once, again and again", async () => {
    const takers = await Promise.all(Array.from({ length: 6 }, startTaker));
    const pids = takers.map(({ child }) => child.pid);
    const all = (line: string) => {
      for (const { say } of takers) say(line);
      return Promise.all(takers.map(({ next }) => next()));
    };
    for (let round = 0; round < 20; round++) {
      const folder = join(root, `race-${round}.lock`);
      leaveLock(folder);
      const said = await all(folder);
      expect(said.filter((words) => words === "taken")).toHaveLength(1);
      for (const words of said.filter((one) => one !== "taken")) expect(pids).toContain(Number(words.slice("busy ".length)));
      const winner = pids[said.indexOf("taken")];
      expect(readdirSync(folder).map((name) => Number.parseInt(name, 10))).toEqual([winner]);
      await all("");
      expect(existsSync(folder)).toBe(false);
    }
    for (const { child } of takers) child.stdin.end();
    await Promise.all(takers.map(({ child }) => once(child, "exit")));
  });

  it("[YUME-SESSION-5] is held until its holder ends, however that ends", async () => {
    const folder = join(root, "killed.lock");
    const taker = await startTaker();
    taker.say(folder);
    expect(await taker.next()).toBe("taken");
    expect(takeLock(folder)).toEqual({ holder: taker.child.pid });
    taker.child.kill("SIGKILL");
    await once(taker.child, "exit");
    const lock = takeLock(folder);
    if ("holder" in lock) throw new Error(`held by ${lock.holder}`);
    lock.release();
    expect(existsSync(folder)).toBe(false);
  });

  it.runIf(process.platform === "linux")("[YUME-SESSION-5] is not kept by a process that was given a dead one's number", () => {
    const folder = join(root, "reused.lock");
    mkdirSync(folder);
    const started = readFileSync(`/proc/${process.ppid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
    writeFileSync(join(folder, `${process.ppid}.${started}.other`), "held");
    expect(takeLock(folder)).toEqual({ holder: process.ppid });
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    writeFileSync(join(folder, `${process.ppid}.${Number(started) - 1}.dead`), "held");
    expect(takeLock(folder)).toHaveProperty("release");
  });
});
