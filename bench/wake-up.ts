// From the call that decides in one process, its durable commit included, to the waiter's wake-up in another, over the bell;
// beside a message over a pipe between the two.
import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HapEngine } from "@hap/core";
import { type Benchmark, median, percentile, type Result, withFolder } from "./measure.ts";

const waiter = fileURLToPath(new URL("./fixtures/waiter.ts", import.meta.url));
const clock = () => performance.timeOrigin + performance.now();

export const wakeUp: Benchmark = {
  name: "wake-up",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const path = join(folder, "hap.db");
      const engine = new HapEngine({ dbPath: path, home: folder });
      const other = fork(waiter, [path, folder], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
      const heard = () =>
        new Promise<{ at: number; cpu: number }>((resolve) =>
          other.once("message", (message) => resolve(message as { at: number; cpu: number })),
        );
      await heard();
      const pipe: number[] = [];
      const bell: number[] = [];
      const own: number[] = [];
      for (let round = 0; round < (quick ? 50 : 300); round++) {
        const sent = clock();
        other.send({ echo: true });
        pipe.push((await heard()).at - sent);
        const { id } = engine.createTicket({ to: "human:alex", summary: `round ${round}` });
        other.send({ wait: id });
        await heard();
        const woken = heard();
        const decided = clock();
        engine.approve(id, "go on");
        own.push(clock() - decided);
        bell.push((await woken).at - decided);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      const { id } = engine.createTicket({ to: "human:alex", summary: "idle" });
      other.send({ wait: id });
      await heard();
      other.send({ idle: quick ? 1000 : 5000 });
      const { cpu } = await heard();
      other.kill();
      engine.dispose();
      const line = (name: string, value: number, raw: number, target: string, met: boolean): Result => ({
        name,
        value,
        unit: "ms",
        baseline: { name: "a message over a pipe", value: raw },
        ratio: value / raw,
        target,
        met,
      });
      const p50 = median(bell);
      const p99 = percentile(bell, 0.99);
      return [
        line(
          "wake-up across processes, p50, from the call that decides",
          p50,
          median(pipe),
          "< 2 ms beyond the call itself",
          p50 - median(own) < 2,
        ),
        line(
          "wake-up across processes, p99, from the call that decides",
          p99,
          percentile(pipe, 0.99),
          "< 10 ms beyond the call itself",
          p99 - median(own) < 10,
        ),
        { name: "the call itself, durable commit included, p50", value: median(own), unit: "ms" },
        { name: "processor time of a waiter", value: cpu, unit: "%", target: "< 1 %", met: cpu < 1 },
      ];
    }),
};
