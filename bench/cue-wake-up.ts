// From a person's answer to the words on a waiting `cueme cue`'s standard output, beside the 500 ms polling of the original.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HapEngine } from "@hap/core";
import { type Benchmark, median, percentile, type Result, withFolder } from "./measure.ts";

const cueme = fileURLToPath(new URL("../packages/doors/cueme/bin/cueme.mjs", import.meta.url));
/** How often the original looked for an answer. */
const POLL_MS = 500;
const clock = () => performance.timeOrigin + performance.now();
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const cueWakeUp: Benchmark = {
  name: "cue-wake-up",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const dbPath = join(folder, "hap.db");
      const engine = new HapEngine({ dbPath, home: folder, humanId: "human:alex" });
      const { agent } = engine.joinAgent({ agent_runtime: "bench" });
      const ours: number[] = [];
      const polled: number[] = [];
      for (let round = 0; round < (quick ? 10 : 60); round++) {
        const child = spawn(process.execPath, [cueme, "cue", agent, "-"], {
          env: { ...process.env, HAP_DB_PATH: dbPath, HAP_HUMAN_ID: "human:alex", HOME: folder },
          stdio: ["pipe", "pipe", "inherit"],
        });
        const ended = new Promise((resolve) => child.once("close", resolve));
        child.stdin.end(`<cueme_prompt>\nround ${round}?\n</cueme_prompt>\n`);
        const heard = new Promise<number>((resolve) => child.stdout.once("data", () => resolve(clock())));
        while (engine.listPending({ from: agent }).length === 0) await sleep(5);
        await sleep(100);
        const [ticket] = engine.listPending({ from: agent });
        engine.answer(ticket?.id as string, "go on");
        const committed = clock();
        ours.push((await heard) - committed);
        // A poller that began at a random moment looks next after a random part of its period.
        const next = Math.random() * POLL_MS;
        const waited = clock();
        await sleep(next);
        polled.push(clock() - waited);
        await ended;
      }
      engine.dispose();
      const line = (name: string, share: number): Result => {
        const value = percentile(ours, share);
        const raw = share === 0.5 ? median(polled) : percentile(polled, share);
        return { name, value, unit: "ms", baseline: { name: "polling every 500 ms", value: raw }, ratio: value / raw };
      };
      return [line("cue wake-up, p50", 0.5), line("cue wake-up, p99", 0.99)];
    }),
};
