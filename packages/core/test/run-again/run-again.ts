// Runs a command in every way that a store may suspend it, and compares what is left of it byte for byte with a serial order.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHapError } from "@hap/protocol";
import { expect } from "vitest";
import { HapEngine } from "../../src/index.ts";
import { raw } from "../raw-store.ts";
import { type ReplayedWorld, replayedWorld, SuspendingStore } from "./suspending-store.ts";

/** In memory if the system has such a place: these tests are not about the disk. */
const base = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
/** When every case begins. */
export const START = Date.parse("2026-01-31T10:00:00Z");

/** What a command has before it: ids and secrets that setting up has made. */
export type Made = Record<string, string>;
export type Act = (engine: HapEngine, made: Made) => unknown;
/** A command, what was there before it, and what somebody else does while it is suspended. */
export type Case = { before: (engine: HapEngine, world: ReplayedWorld) => Made; run: Act; other: Act; laterMs?: number };

type Left = { outcome: unknown; other: unknown; tables: unknown };

/** One store that is set up once and copied for each run. */
export class RunAgain {
  readonly #folder = mkdtempSync(join(base, "hap-again-"));
  readonly #case: Case;
  readonly #made: Made;
  readonly #time: number;
  #copies = 0;

  constructor(given: Case) {
    this.#case = given;
    const world = replayedWorld(1, START);
    const engine = this.#open(join(this.#folder, "base.db"), world).engine;
    this.#made = given.before(engine, world);
    engine.dispose();
    this.#time = world.time + (given.laterMs ?? 1_000);
  }

  /** Try every suspension; returns how many there were. */
  tryAll(): number {
    const alone = this.#run([], "no");
    const { reads } = this;
    const after = this.#run([], "before");
    let tried = 0;
    for (let read = 1; read <= reads; read++) {
      expect(this.#run([read, reads - read + 1], "no"), `suspended at reads ${read} and ${reads - read + 1}`).toEqual(alone);
      expect(this.#run([read], "meanwhile"), `suspended at read ${read}, with another command meanwhile`).toEqual(after);
      tried += 2;
    }
    return tried;
  }

  reads = 0;

  #run(at: readonly number[], other: "no" | "before" | "meanwhile"): Left {
    const path = join(this.#folder, `${this.#copies++}.db`);
    copyFileSync(join(this.#folder, "base.db"), path);
    const mine = this.#open(path, replayedWorld(2, this.#time));
    const theirs = this.#open(path, replayedWorld(3, this.#time));
    let said: unknown = null;
    const act = () => {
      said = outcomeOf(() => this.#case.other(theirs.engine, this.#made));
    };
    try {
      if (other === "before") act();
      mine.store.reads = 0;
      mine.store.suspensions = { at, ...(other === "meanwhile" ? { meanwhile: act } : {}) };
      const outcome = outcomeOf(() => this.#case.run(mine.engine, this.#made));
      if (other === "no" && at.length === 0) this.reads = mine.store.reads;
      expect(mine.store.suspended).toBe(at.length);
      return { outcome, other: said, tables: dump(path) };
    } finally {
      mine.engine.dispose();
      theirs.engine.dispose();
      for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
    }
  }

  #open(path: string, world: ReplayedWorld): { engine: HapEngine; store: SuspendingStore } {
    const store = new SuspendingStore(path, world);
    const engine = new HapEngine({ store: store.opened(), home: this.#folder, world, humanId: "human:alex" });
    return { engine, store };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What a call said: its value, or its error as data. */
export function outcomeOf(act: () => unknown): unknown {
  try {
    return { value: act() ?? null };
  } catch (error) {
    if (!isHapError(error)) throw error;
    return { code: error.code, message: error.message, fields: error.fields };
  }
}

/** Every row of every table. */
function dump(path: string): Record<string, unknown[]> {
  return raw(path, (database) => {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite%' ORDER BY name")
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        name as string,
        database
          .prepare(`SELECT * FROM ${name}`)
          .all()
          .map((row) => ({ ...row })),
      ]),
    );
  });
}
