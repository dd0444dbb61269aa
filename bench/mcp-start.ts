// What a host waits for: from starting `hap mcp` to its first answer, beside a bare `node -e 0`.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Benchmark, compare, median, withFolder } from "./measure.ts";

const hap = fileURLToPath(new URL("../packages/cli/bin/hap.mjs", import.meta.url));
const opening = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};

export const mcpStart: Benchmark = {
  name: "mcp start",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const env = { ...process.env, HOME: folder, HAP_DB_PATH: join(folder, "hap.db"), XDG_CACHE_HOME: join(folder, "cache") };
      const ready = async () => {
        const started = performance.now();
        const server = spawn(process.execPath, [hap, "mcp"], { env, stdio: ["pipe", "pipe", "inherit"] });
        const ended = new Promise((resolve) => server.once("exit", resolve));
        server.stdin.write(`${JSON.stringify(opening)}\n`);
        await new Promise((resolve) => server.stdout.once("data", resolve));
        const taken = performance.now() - started;
        server.stdin.end();
        await ended;
        return taken;
      };
      const bare = () => {
        const started = performance.now();
        spawnSync(process.execPath, ["-e", "0"], { env });
        return performance.now() - started;
      };
      // The first run fills the compile cache, as the first run on a user's machine does.
      await ready();
      const times = { bare: [] as number[], ready: [] as number[] };
      for (let round = 0; round < (quick ? 5 : 20); round++) {
        times.bare.push(bare());
        times.ready.push(await ready());
      }
      const baseline = { name: "node -e 0", value: median(times.bare) };
      return [compare({ name: "MCP server ready", value: median(times.ready), unit: "ms", baseline }, { most: 4 })];
    }),
};
