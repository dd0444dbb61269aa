// The peer: BullMQ on Redis that syncs every write. The same cycle: a durable request, a waiter, an answer, the wake-up.
// Installed into a temporary folder when asked for; needs redis-server on this machine.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { withHapCycle } from "./cycles.ts";
import { withFront } from "./front.ts";
import { httpCycle } from "./http-cycles.ts";
import { type Benchmark, compare, cyclesPerSecond, median, withFolder } from "./measure.ts";

const ROUNDS = 5;
const VERSION = "6.7.0";

const CONCURRENT = [32, 128];

type Rates = { theirs: number[]; embedded: number[]; http: number[] };
type Peer = { cycle: () => Promise<void>; setUnderWay: (cycles: number) => void; close: () => Promise<void> };

export const bullmqPeer: Benchmark = {
  name: "bullmq peer",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const port = await freePort();
      const redis = spawn(
        "redis-server",
        ["--port", String(port), "--dir", folder, "--appendonly", "yes", "--appendfsync", "always", "--save", ""],
        { stdio: "ignore" },
      );
      const peer = await startPeer(folder, port, redis);
      const count = quick ? 200 : 1000;
      const rates = new Map(CONCURRENT.map((at) => [at, { theirs: [], embedded: [], http: [] } as Rates]));
      try {
        await withFront(folder, (front) =>
          withHapCycle(folder, async (cycle) => {
            // All three run for hours where they are used: a first round warms them up, and does not count.
            for (let round = 0; round <= ROUNDS; round++)
              for (const [at, { theirs, embedded, http }] of rates) {
                peer.setUnderWay(at);
                const measured = [
                  [theirs, await cyclesPerSecond(count, at, peer.cycle)],
                  [embedded, await cyclesPerSecond(count, at, cycle)],
                  [http, await cyclesPerSecond(count, at, () => httpCycle(front))],
                ] as const;
                if (round > 0) for (const [list, rate] of measured) list.push(rate);
              }
          }),
        );
      } finally {
        await peer.close();
        redis.kill();
      }
      return [...rates].flatMap(([at, { theirs, embedded, http }]) => {
        const baseline = { name: `BullMQ ${VERSION}, Redis with appendfsync always`, value: median(theirs) };
        const beside = (name: string, values: number[], least: number) =>
          compare({ name, value: median(values), unit: "/s", baseline }, { least });
        return [
          beside(`cycles, ${at} at a time, beside BullMQ`, embedded, 0.85),
          beside(`cycles over HTTP, ${at} agents, beside BullMQ`, http, 0.6),
        ];
      });
    }),
};

/** Install BullMQ beside the benchmark and open a queue with a worker that waits for an answer. */
async function startPeer(folder: string, port: number, redis: ChildProcess): Promise<Peer> {
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", `bullmq@${VERSION}`, "ioredis@6.0.0"], {
    cwd: folder,
    stdio: "ignore",
  });
  writeFileSync(join(folder, "peer.mjs"), peerSource);
  redis.on("error", () => {
    throw new Error("This benchmark needs redis-server: install Debian's redis-server package, or leave it out.");
  });
  const { start } = (await import(join(folder, "peer.mjs"))) as { start: (port: number) => Promise<Peer> };
  return start(port);
}

/**
 * A request is a job; the person is a worker that answers it; the agent waits for its completion. One listener serves all jobs:
 * `job.waitUntilFinished` adds one for each, and every event then runs through all of them. The worker takes a quarter of the cycles under way at once, which was the fastest of
 * 1, 2, 4, 8, 16 and 32: a worker with free slots polls Redis, while a busy one gets its next job with the answer to the last.
 */
const peerSource = `
import { randomUUID } from "node:crypto";
import { Queue, QueueEvents, Worker } from "bullmq";
export async function start(port) {
  const connection = { host: "127.0.0.1", port };
  const queue = new Queue("decisions", { connection });
  const events = new QueueEvents("decisions", { connection });
  const worker = new Worker("decisions", async () => ({ outcome: "approved" }), { connection, concurrency: 8 });
  await Promise.all([queue.waitUntilReady(), events.waitUntilReady(), worker.waitUntilReady()]);
  const waiting = new Map();
  events.on("completed", ({ jobId, returnvalue }) => {
    waiting.get(jobId)?.(returnvalue);
    waiting.delete(jobId);
  });
  return {
    cycle: async () => {
      const jobId = randomUUID();
      const finished = new Promise((resolve) => waiting.set(jobId, resolve));
      await queue.add("decide", { kind: "run_command", summary: "Run the tests", command: "npm test" }, { jobId });
      await finished;
    },
    setUnderWay: (cycles) => {
      worker.concurrency = cycles / 4;
    },
    close: async () => {
      await worker.close();
      await events.close();
      await queue.close();
    },
  };
}
`;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
