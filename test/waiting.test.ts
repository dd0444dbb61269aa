// Waiting across processes: a decision wakes its waiter at once, a missed bell only delays it, and the feed repeats nothing.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { HapEngine } from "@hap/core";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleFixture, nodePath } from "./support/bundle-fixture.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const folder = temporaryFolder();
let waiter = "";

beforeAll(async () => {
  waiter = await bundleFixture("waiter", folder);
});

/** A process that waits for one ticket; `next` gives its lines as they come. */
function startWaiter(path: string, ...args: string[]): { next: () => Promise<string>; ended: Promise<number | null> } {
  const child = spawn(nodePath, [waiter, path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  const takers: ((line: string) => void)[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      const taker = takers.shift();
      if (taker === undefined) lines.push(line);
      else taker(line);
    }
  });
  return {
    next: () => new Promise((resolve) => (lines.length > 0 ? resolve(lines.shift() as string) : takers.push(resolve))),
    ended: new Promise((resolve) => child.on("close", resolve)),
  };
}

describe("a waiter in another process", () => {
  it("[WAKE-PROCESS-1] hears of decisions by the bell, and needs no poll to tell it", async () => {
    const path = join(folder, "wake", "hap.db");
    const engine = new HapEngine({ dbPath: path, home: folder });
    for (let round = 0; round < 20; round++) {
      const { id } = engine.createTicket({ to: "human:alex", summary: `round ${round}` });
      const other = startWaiter(path, "bell", id);
      expect(await other.next()).toBe("waiting");
      engine.approve(id, "go on");
      expect(await other.next()).toBe("APPROVED");
      expect(await other.ended).toBe(0);
    }
    engine.dispose();
  });

  it("[WAKE-PROCESS-1] is delayed, and not lost, when the bell is gone", async () => {
    const path = join(folder, "deaf", "hap.db");
    const engine = new HapEngine({ dbPath: path, home: folder });
    const { id } = engine.createTicket({ to: "human:alex", summary: "no bell" });
    const other = startWaiter(path, "ticket", id);
    expect(await other.next()).toBe("waiting");
    rmSync(`${path}-bell`);
    const second = new HapEngine({ dbPath: path, home: folder });
    second.approve(id, "quietly");
    expect(await other.next()).toBe("APPROVED");
    engine.dispose();
    second.dispose();
  });

  it("[WAKE-PROCESS-1] sees its ticket expire although no other process runs", async () => {
    const path = join(folder, "alone", "hap.db");
    const engine = new HapEngine({ dbPath: path, home: folder });
    const { id } = engine.createTicket({ to: "human:alex", summary: "soon over", ttl_seconds: 1 });
    engine.dispose();
    const other = startWaiter(path, "ticket", id);
    expect(await other.next()).toBe("waiting");
    expect(await other.next()).toBe("EXPIRED");
  });

  it("[WAKE-FEED-1] gets every event after its cursor, once and in order, while others write", async () => {
    const path = join(folder, "feed", "hap.db");
    const engine = new HapEngine({ dbPath: path, home: folder });
    engine.createTicket({ to: "human:alex", summary: "before" });
    const cursor = engine.cursor() as string;
    const other = startWaiter(path, "feed", cursor, "200");
    expect(await other.next()).toBe("waiting");
    const writers = [new HapEngine({ dbPath: path, home: folder }), new HapEngine({ dbPath: path, home: folder })];
    for (let at = 0; at < 100; at++) {
      const { id } = (writers[at % 2] as HapEngine).createTicket({ to: "human:alex", summary: `event ${at}` });
      if (at % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      (writers[(at + 1) % 2] as HapEngine).deliver(id);
    }
    const seen = (await other.next()).split(",").map(Number);
    expect(seen).toEqual(Array.from({ length: 200 }, (_, at) => 4 + at));
    for (const writer of writers) writer.dispose();
    engine.dispose();
  });

  it("[ENGINE-WAIT-1] ends at its timeout and at its signal, and lets the process end", async () => {
    const path = join(folder, "ends", "hap.db");
    const engine = new HapEngine({ dbPath: path, home: folder });
    const { id } = engine.createTicket({ to: "human:alex", summary: "unanswered" });
    expect((await engine.waitFor(id, { timeout: 20 })).state).toBe("PENDING");
    const stop = new AbortController();
    const waiting = engine.waitFor(id, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(engine.waitFor("tk_unknownticket", { timeout: 20 })).rejects.toMatchObject({ code: "ticket_not_found" });
    const other = startWaiter(path, "timeout", id);
    expect(await other.next()).toBe("waiting");
    expect(await other.next()).toBe("PENDING");
    expect(await other.ended).toBe(0);
    engine.dispose();
  });
});
