// A world for tests: a clock that stands still until it is moved, and an engine in a folder of its own.
import { randomFillSync } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HapEngine } from "../src/engine.ts";
import type { HapEngineOptions } from "../src/engine-options.ts";
import type { World } from "../src/transaction/facts.ts";

/** A clock that tests move. Uptime moves with it; `jump` moves the wall clock alone. */
export type TestWorld = World & { advance: (ms: number) => void; jump: (ms: number) => void };

/** A world that starts at a fixed moment. */
export function testWorld(start = Date.parse("2026-01-31T10:00:00Z")): TestWorld {
  let wall = start;
  let uptime = 1_000_000;
  return {
    now: () => wall,
    uptime: () => uptime,
    random: (bytes) => randomFillSync(bytes),
    advance: (ms) => {
      wall += ms;
      uptime += ms;
    },
    jump: (ms) => {
      wall += ms;
    },
  };
}

/** Where test stores lie: in memory where the system has such a place, since most tests are not about the disk. */
const base = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A folder that is gone after the test, with engines that are closed before it goes. */
export function testStore(): {
  folder: string;
  path: string;
  open: (options?: HapEngineOptions) => HapEngine;
  remove: () => void;
} {
  const folder = mkdtempSync(join(base, "hap-core-"));
  const engines: HapEngine[] = [];
  const path = join(folder, "store", "hap.db");
  return {
    folder,
    path,
    open: (options = {}) => {
      const engine = new HapEngine({ dbPath: path, home: folder, ...options });
      engines.push(engine);
      return engine;
    },
    remove: () => {
      for (const engine of engines) engine.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
