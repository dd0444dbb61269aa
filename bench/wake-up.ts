// From the decision's commit in one process to the waiter's wake-up in another, over the bell; beside a pipe between the two.
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
      for (let round = 0; round < (quick ? 50 : 300); round++) {
        const sent = clock();
        other.send({ echo: true });
        pipe.push((await heard()).at - sent);
        const { id } = engine.createTicket({ to: "human:alex", summary: `round ${round}` });
        other.send({ wait: id });
        await heard();
        const woken = heard();
        engine.approve(id, "go on");
        const committed = clock();
        bell.push((await woken).at - committed);
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
      return [
        line("wake-up across processes, p50", median(bell), median(pipe), "< 2 ms on a quiet machine", median(bell) < 2),
        line(
          "wake-up across processes, p99",
          percentile(bell, 0.99),
          percentile(pipe, 0.99),
          "< 10 ms on a quiet machine",
          percentile(bell, 0.99) < 10,
        ),
        { name: "processor time of a waiter", value: cpu, unit: "%", target: "< 1 %", met: cpu < 1 },
      ];
    }),
};
