// One agent that sends hostile 50 kB commands without pause, beside 20 ordinary agents that open tickets: their p99 with it and
// without it (D34). The aim is at most twice the idle value.
import { type AgentClient, connectAgent } from "@hap/sdk";
import { type Front, withFront } from "./front.ts";
import { type Benchmark, percentile, type Result, withFolder } from "./measure.ts";

const AGENTS = 20;
const PAUSE_MS = 40;
/** How often each agent asks in one stretch, with the hostile one or without it. */
const ROUNDS = 10;
/** Texts that are slow to read, each another one, so that none is known. */
const hostile = (round: number) => ({
  to: "human:alex",
  kind: "run_command",
  summary: "Read this",
  details: { command: `echo ${round} ${["$(", "<(", "`", "eval "][round % 4]?.repeat(12_000)}`.slice(0, 50_000) },
});
const ordinary = (agent: number, round: number) => ({
  to: "human:alex",
  kind: "run_command",
  summary: "Run the tests",
  details: { command: `npm test -- --shard ${agent}/${round}` },
});

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));

/** How long each ordinary agent waited for each of its tickets. */
async function measure(agents: readonly AgentClient[], rounds: number, offset: number): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    agents.map(async (client, agent) => {
      for (let round = 0; round < rounds; round++) {
        const started = performance.now();
        const { id } = await client.createTicket(ordinary(agent, offset + round));
        times.push(performance.now() - started);
        await client.cancel(id);
        await pause();
      }
    }),
  );
  return times;
}

async function beside(front: Front, quick: boolean): Promise<Result[]> {
  const connect = async (agent: string) => {
    const { key } = await front.person.createKey({ agent });
    return connectAgent({ url: front.url, apiKey: key });
  };
  const agents = await Promise.all(Array.from({ length: AGENTS }, (_, index) => connect(`agent:ordinary_${index}`)));
  const attacker = await connect("agent:hostile");
  const blocks = quick ? 2 : 6;
  await measure(agents, 5, 1_000_000);
  const [idle, pressed]: [number[], number[]] = [[], []];
  let sent = 0;
  // In turns, so that whatever else the machine does meets both alike.
  for (let block = 0; block < blocks; block++) {
    idle.push(...(await measure(agents, ROUNDS, 2 * block * ROUNDS)));
    let attacking = true;
    const attack = (async () => {
      while (attacking) {
        const { id } = await attacker.createTicket(hostile(sent++));
        await attacker.cancel(id);
      }
    })();
    pressed.push(...(await measure(agents, ROUNDS, (2 * block + 1) * ROUNDS)));
    attacking = false;
    await attack;
  }
  for (const client of [...agents, attacker]) await client.close();
  return [50, 99].map((at) => {
    const baseline = { name: "without it", value: percentile(idle, at / 100) };
    const value = percentile(pressed, at / 100);
    return {
      name: `20 agents beside a hostile one (${sent} commands), p${at}`,
      value,
      unit: "ms",
      baseline,
      ratio: value / baseline.value,
      ...(at === 99 ? { target: "<= 2", met: value / baseline.value <= 2 } : {}),
    };
  });
}

export const hostileAgent: Benchmark = {
  name: "hostile-agent",
  run: ({ quick }) => withFolder((folder) => withFront(folder, (front) => beside(front, quick))),
};
