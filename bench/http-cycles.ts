// The cycle of cycles.ts over HTTP: open, wait, decide, wake, with one agent and with 32. Beside it as many bare node:http round
// trips as a cycle has requests, and the embedded figure. Then the wake-up alone: from the call that decides to the waiter.
import { withHapCycle } from "./cycles.ts";
import { type Front, withFront } from "./front.ts";
import { type Benchmark, compare, cyclesPerSecond, median, percentile, type Result, withFolder } from "./measure.ts";

const command = { to: "human:alex", kind: "run_command", summary: "Run the tests", details: { command: "npm test" } };
const AGENTS = [1, 32];

/** Open, wait and decide over HTTP, and wake. */
export async function httpCycle({ agent, person }: Front): Promise<void> {
  const ticket = await agent.createTicket(command);
  await Promise.all([agent.wait(ticket.id), person.approve(ticket.id, "go on")]);
}

/** Open, wait, decide: three requests. */
async function rawCycle({ rawRoundTrip }: Front): Promise<void> {
  await rawRoundTrip();
  const waiting = rawRoundTrip();
  await rawRoundTrip();
  await waiting;
}

async function measureCycles(front: Front, folder: string, quick: boolean): Promise<Result[]> {
  const results: Result[] = [];
  await withHapCycle(folder, async (embeddedCycle) => {
    for (const agents of AGENTS) {
      const count = (quick ? 40 : 300) * (agents === 1 ? 1 : 4);
      const [http, raw, embedded]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < (quick ? 2 : 5); round++) {
        http.push(await cyclesPerSecond(count, agents, () => httpCycle(front)));
        raw.push(await cyclesPerSecond(count, agents, () => rawCycle(front)));
        embedded.push(await cyclesPerSecond(count, agents, embeddedCycle));
      }
      const value = median(http);
      const beside = (name: string, label: string, values: number[]): Result => {
        const baseline = { name: label, value: median(values) };
        return { name, value, unit: "/s", baseline, ratio: value / baseline.value };
      };
      const name = `cycles over HTTP, ${agents} ${agents === 1 ? "agent" : "agents"}`;
      const besideEmbedded = {
        name: `${name}, beside embedded`,
        value,
        unit: "/s",
        baseline: { name: "embedded cycles", value: median(embedded) },
      };
      results.push(
        beside(name, "bare node:http, three requests", raw),
        agents === 1 ? beside(besideEmbedded.name, "embedded cycles", embedded) : compare(besideEmbedded, { least: 0.7 }),
      );
    }
  });
  return results;
}

async function measureWakeUp({ agent, person, rawRoundTrip }: Front, quick: boolean): Promise<Result[]> {
  const [woken, raw]: [number[], number[]] = [[], []];
  for (let round = 0; round < (quick ? 40 : 300); round++) {
    const before = performance.now();
    await rawRoundTrip();
    raw.push(performance.now() - before);
    const { id } = await agent.createTicket(command);
    const outcome = agent.wait(id);
    // The wait must have arrived before somebody decides, or it is none.
    await agent.getTicket(id);
    const decided = performance.now();
    const decision = person.approve(id, "go on");
    await outcome;
    woken.push(performance.now() - decided);
    await decision;
  }
  return [0.5, 0.99].map((share) => {
    const [value, limit] = [percentile(woken, share), percentile(raw, share)];
    return {
      name: `wake-up over HTTP, p${share * 100}, from the call that decides, durable commit included`,
      value,
      unit: "ms",
      baseline: { name: "a bare node:http round trip", value: limit },
      ratio: value / limit,
    };
  });
}

export const httpCycles: Benchmark = {
  name: "http-cycles",
  run: ({ quick }) =>
    withFolder((folder) =>
      withFront(folder, async (front) => [
        ...(await measureCycles(front, folder, quick)),
        ...(await measureWakeUp(front, quick)),
      ]),
    ),
};
