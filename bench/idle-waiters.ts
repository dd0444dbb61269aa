// Thousands of agents that wait on one server: what each costs in memory, and how long one decision among them takes to arrive.
import { Agent, request } from "node:http";
import { type Front, withFront } from "./front.ts";
import { type Benchmark, median, percentile, withFolder } from "./measure.ts";

const DECISIONS = 50;
/** How many are opened at a time, so that the backlog of the listening socket does not overflow. */
const AT_ONCE = 100;
/** A request waits this long at most; the benchmark is over before. */
const WAIT_SECONDS = 55;

/** One waiting agent: a connection of its own, when its request had left, and the moment when its answer came. */
type Waiter = { id: string; sent: Promise<void>; ended: Promise<number>; close: () => void };

function wait(front: Front, id: string): Waiter {
  // By its address: thousands of look-ups of a name queue up in this process, and those at their end would not be waiting yet.
  const place = new URL(`/v1/tickets/${id}?wait=${WAIT_SECONDS}`, front.url);
  place.hostname = "127.0.0.1";
  const sent = request(place, {
    agent: new Agent({ keepAlive: false }),
    headers: { authorization: `Bearer ${front.key}` },
  });
  const ended = new Promise<number>((resolve) => {
    sent.on("response", (response) => {
      resolve(performance.now());
      response.resume();
    });
    sent.on("error", () => resolve(Number.NaN));
  });
  const left = new Promise<void>((resolve, reject) => {
    sent.on("finish", resolve);
    sent.on("error", reject);
  });
  sent.end();
  return { id, sent: left, ended, close: () => sent.destroy() };
}

async function openAll(front: Front, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const size = Math.min(AT_ONCE, count - ids.length);
    const made = await Promise.all(
      Array.from({ length: size }, () => front.agent.createTicket({ to: "human:alex", summary: "wait" })),
    );
    ids.push(...made.map(({ id }) => id));
  }
  return ids;
}

async function waitAll(front: Front, ids: readonly string[]): Promise<Waiter[]> {
  const waiters: Waiter[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE).map((id) => wait(front, id));
    await Promise.all(some.map(({ sent }) => sent));
    waiters.push(...some);
  }
  while ((await front.connections()) < waiters.length);
  // What was sent before is read before: the server has them all once it has answered this.
  await front.agent.getTicket(ids[0] as string);
  return waiters;
}

export const idleWaiters: Benchmark = {
  name: "idle-waiters",
  run: ({ quick }) =>
    withFolder((folder) =>
      withFront(folder, async (front) => {
        const count = quick ? 200 : 5_000;
        const ids = await openAll(front, count);
        const alone = await front.memory();
        const waiters = await waitAll(front, ids);
        const bytes = ((await front.memory()) - alone) / count;
        const delays: number[] = [];
        const trips: number[] = [];
        for (let n = 0; n < DECISIONS; n++) {
          const chosen = waiters[Math.floor((n * count) / DECISIONS)] as Waiter;
          const before = performance.now();
          await front.rawRoundTrip();
          trips.push(performance.now() - before);
          const decided = performance.now();
          const decision = front.person.reject(chosen.id, "no");
          delays.push((await chosen.ended) - decided);
          await decision;
        }
        for (const { close } of waiters) close();
        const among = `one decision among ${count.toLocaleString("en")} waiting agents`;
        const baseline = { name: "a bare node:http round trip", value: median(trips) };
        const [p50, p99] = [median(delays), percentile(delays, 0.99)];
        return [
          {
            name: `memory of the server for each of ${count.toLocaleString("en")} waiting agents`,
            value: bytes / 1000,
            unit: "kB",
            target: "< 30 kB",
            met: bytes < 30_000,
          },
          {
            name: `${among}, p50`,
            value: p50,
            unit: "ms",
            baseline,
            ratio: p50 / baseline.value,
            target: "< 20 ms",
            met: p50 < 20,
          },
          { name: `${among}, p99`, value: p99, unit: "ms", baseline, ratio: p99 / baseline.value },
        ];
      }),
    ),
};
