// Nothing grows with history: the cost of opening and deciding a ticket at the beginning and after many of them
// (a hundred thousand; with --full a million).
import { join } from "node:path";
import { HapEngine } from "@hap/core";
import { type Benchmark, compare, median, withFolder } from "./measure.ts";

export const growth: Benchmark = {
  name: "growth",
  run: ({ quick, full }) =>
    withFolder(async (folder) => {
      const engine = new HapEngine({ dbPath: join(folder, "hap.db"), home: folder });
      const life = (made: number) => {
        const { id } = engine.createTicket({
          to: "human:alex",
          kind: "run_command",
          summary: `ticket ${made}`,
          details: { command: "npm test" },
        });
        engine.approve(id, "go on");
      };
      const fillTo = async (from: number, to: number) => {
        for (let made = from; made < to; made += 1000) {
          await Promise.all(Array.from({ length: 1000 }, (_, at) => engine.later(() => life(made + at))));
        }
      };
      const cost = () => {
        const times: number[] = [];
        for (let at = 0; at < 500; at++) {
          const started = performance.now();
          life(at);
          times.push(performance.now() - started);
        }
        return median(times);
      };
      const last = quick ? 10_000 : full ? 1_000_000 : 100_000;
      await fillTo(0, 1000);
      const early = cost();
      await fillTo(1000, last);
      const late = cost();
      const page = performance.now();
      engine.list({ to: "human:alex" });
      const listed = performance.now() - page;
      engine.dispose();
      return [
        compare(
          {
            name: `a ticket's life after ${last} tickets`,
            value: late,
            unit: "ms",
            baseline: { name: "after 1,000 tickets", value: early },
          },
          { most: 1.5 },
        ),
        { name: `a page of 50 among ${last} tickets`, value: listed, unit: "ms" },
      ];
    }),
};
