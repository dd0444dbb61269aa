// What a person waits for: `hap inbox` with 10,000 open tickets, and `hap --version`, beside a bare `node -e 0`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HapEngine } from "@hap/core";
import { type Benchmark, compare, median, withFolder } from "./measure.ts";

const hap = fileURLToPath(new URL("../packages/cli/bin/hap.mjs", import.meta.url));

export const commandStart: Benchmark = {
  name: "command start",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const path = join(folder, "hap.db");
      const engine = new HapEngine({ dbPath: path, home: folder });
      const open = quick ? 500 : 10_000;
      for (let made = 0; made < open; made += 500) {
        await Promise.all(
          Array.from({ length: 500 }, (_, at) =>
            engine.later(() => engine.createTicket({ to: "human:alex", summary: `ticket ${made + at}` })),
          ),
        );
      }
      engine.dispose();
      const env = { ...process.env, HOME: folder, HAP_DB_PATH: path, HAP_HUMAN_ID: "human:alex" };
      const time = (...args: string[]) => {
        const started = performance.now();
        const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
        if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
        return performance.now() - started;
      };
      time(hap, "inbox");
      const bare: number[] = [];
      const inbox: number[] = [];
      const version: number[] = [];
      for (let round = 0; round < (quick ? 5 : 15); round++) {
        bare.push(time("-e", "0"));
        inbox.push(time(hap, "inbox"));
        version.push(time(hap, "--version"));
      }
      const baseline = { name: "node -e 0", value: median(bare) };
      return [
        compare({ name: `hap inbox, ${open} open tickets, one page`, value: median(inbox), unit: "ms", baseline }, { most: 3 }),
        compare({ name: "hap --version", value: median(version), unit: "ms", baseline }, { most: 3 }),
      ];
    }),
};
