// Verifying a log of 1,000,000 events, chain only and whole, beside reading and hashing the same rows.
import { hash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { HapEngine } from "@hap/core";
import { type Benchmark, compare, withFolder } from "./measure.ts";
import { memoryOf } from "./time-program.ts";

const hap = fileURLToPath(new URL("../packages/cli/bin/hap.mjs", import.meta.url));

export const verification: Benchmark = {
  name: "verification",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const wanted = quick ? 20_000 : 1_000_000;
      const path = join(folder, "hap.db");
      const engine = new HapEngine({ dbPath: path, home: folder });
      await fill(engine, wanted);
      const { events } = engine.verifyEventLog({ chainOnly: true });
      const timed = (work: () => void) => {
        const started = performance.now();
        work();
        return (events * 1000) / (performance.now() - started);
      };
      const raw: number[] = [];
      const chain: number[] = [];
      const whole: number[] = [];
      for (let round = 0; round < 2; round++) {
        raw.push(timed(() => readAndHash(path)));
        chain.push(timed(() => engine.verifyEventLog({ chainOnly: true })));
        whole.push(timed(() => engine.verifyEventLog()));
      }
      engine.dispose();
      const baseline = { name: "raw read and hash", value: Math.max(...raw) };
      const memory = (...args: string[]) =>
        memoryOf({
          command: process.execPath,
          args: [hap, "verify", ...args],
          env: { ...process.env, HAP_DB_PATH: path, HOME: folder },
          cwd: folder,
        });
      const chainMemory = await memory("--chain");
      const wholeMemory = await memory();
      return [
        compare(
          { name: `verify --chain, ${events} events`, value: Math.max(...chain), unit: "events/s", baseline },
          { least: 0.8 },
        ),
        compare({ name: `verify, ${events} events`, value: Math.max(...whole), unit: "events/s", baseline }, { least: 0.4 }),
        {
          name: "memory of hap verify --chain",
          value: chainMemory,
          unit: "MB",
          target: "< 150 MB",
          met: chainMemory < 150,
        },
        { name: "memory of hap verify", value: wholeMemory, unit: "MB", target: "< 150 MB", met: wholeMemory < 150 },
      ];
    }),
};

/** Whole lives of tickets until the log has so many events. */
async function fill(engine: HapEngine, events: number): Promise<void> {
  const lives = Math.ceil(events / 5);
  for (let made = 0; made < lives; made += 500) {
    const batch = Array.from({ length: Math.min(500, lives - made) }, (_, at) =>
      engine.later(() => {
        const { id } = engine.createTicket({
          to: "human:alex",
          kind: "run_command",
          summary: `ticket ${made + at}`,
          details: { command: "npm test" },
        });
        engine.ack(id);
        engine.approve(id, "go on");
      }),
    );
    await Promise.all(batch);
  }
}

function readAndHash(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  let prev = "0".repeat(64);
  for (const row of database.prepare("SELECT payload, prev_hash, hash FROM events ORDER BY seq").iterate()) {
    prev = hash("sha256", `${prev}||${row.payload as string}`, "hex");
    if (prev !== row.hash) throw new Error("the log does not hash");
  }
  database.close();
}
