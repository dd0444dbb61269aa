// Nothing grows with history: the cost of opening and deciding a ticket in a store that holds a thousand, and in one that
// holds many (a hundred thousand; with --full a million). Both are measured in turn, so that a busy machine slows both.
import { join } from "node:path";
import { HapEngine } from "@hap/core";
import { type Benchmark, compare, median, withFolder } from "./measure.ts";

const SMALL = 1_000;
const LIVES = 500;

export const growth: Benchmark = {
  name: "growth",
  run: ({ quick, full }) =>
    withFolder(async (folder) => {
      const many = quick ? 10_000 : full ? 1_000_000 : 100_000;
      const small = new HapEngine({ dbPath: join(folder, "small", "hap.db"), home: folder });
      const large = new HapEngine({ dbPath: join(folder, "large", "hap.db"), home: folder });
      await fill(small, SMALL);
      await fill(large, many);
      const times = { small: [] as number[], large: [] as number[] };
      for (let at = 0; at < LIVES; at++) {
        times.small.push(timed(() => live(small, at)));
        times.large.push(timed(() => live(large, at)));
      }
      const listed = timed(() => large.list({ to: "human:alex" }));
      small.dispose();
      large.dispose();
      return [
        compare(
          {
            name: `a ticket's life after ${many} tickets`,
            value: median(times.large),
            unit: "ms",
            baseline: { name: `after ${SMALL} tickets`, value: median(times.small) },
          },
          { most: 1.5 },
        ),
        { name: `a page of 50 among ${many} tickets`, value: listed, unit: "ms" },
      ];
    }),
};

function live(engine: HapEngine, made: number): void {
  const { id } = engine.createTicket({
    to: "human:alex",
    kind: "run_command",
    summary: `ticket ${made}`,
    details: { command: "npm test" },
  });
  engine.approve(id, "go on");
}

async function fill(engine: HapEngine, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1000)
    await Promise.all(Array.from({ length: 1000 }, (_, at) => engine.later(() => live(engine, made + at))));
}

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
