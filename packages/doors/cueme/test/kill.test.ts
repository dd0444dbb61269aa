// A cue that is killed at any moment loses nothing, and never gets an older answer (D26); many agents at once do not disturb
// each other. Random moments; a failure prints its seed.
import { connectPerson, type PersonClient } from "@hap/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SEED } from "../../../../test/support/seed.ts";
import { envelope, World } from "./world.ts";

const KILLS = 100;
const AT_ONCE = 3;
/** So that each round ends, on a slow machine too. */
const KILLS_A_ROUND = 4;

const world = new World();
let alex: PersonClient;
beforeAll(async () => {
  alex = await connectPerson({ dbPath: world.dbPath, person: "human:alex" });
});
afterAll(async () => {
  expect(await alex.verify()).toMatchObject({ ok: true });
  await alex.close();
});

/** A small generator of numbers from 0 to 1. */
function chance(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Answer the next question of an agent, once, after a moment. */
async function answerOnce(agent: string, words: string, delay: number): Promise<void> {
  for (;;) {
    const [ticket] = (await alex.list({ from: `agent:${agent}`, state: "open" })).tickets;
    if (ticket !== undefined) {
      await sleep(delay);
      await alex.answer(ticket.id, words);
      return;
    }
    await sleep(5);
  }
}

async function lastHeard(agent: string): Promise<boolean> {
  const [last] = (await alex.list({ from: `agent:${agent}`, limit: 1 })).tickets;
  return last !== undefined && last.heard_at !== null;
}

describe(`seed ${SEED}`, () => {
  it("[CUEME-ATTACH-1] gets the answer of its own question after every one of 100 kills", { timeout: 600_000 }, async () => {
    const input = envelope("Phase done. What next?");
    let killed = 0;
    // How long an undisturbed cue takes here and now: moments are chosen within it.
    const started = performance.now();
    await world.cueme(["cue", await world.join(), "-", "--timeout", "0"], { input });
    const span = performance.now() - started;
    const lane = async (number: number) => {
      const random = chance(SEED + number);
      const id = await world.join();
      let round = 0;
      for (; killed < KILLS; round++) {
        const words = `answer ${number}-${round}`;
        const answered = answerOnce(id, words, random() * span);
        for (let attempt = 0; ; attempt++) {
          const run = world.start("cueme", ["cue", id, "-"], { input });
          const kill = attempt < KILLS_A_ROUND ? setTimeout(() => run.child.kill("SIGKILL"), random() * span) : undefined;
          const { code, signal, out } = await run.ended;
          clearTimeout(kill);
          if (signal === "SIGKILL") {
            killed++;
            // Whatever it had printed was this round's answer.
            expect(["", `${words}\n`]).toContain(out);
            // Killed after all was printed and counted as heard: the round is over. Else the words are told again.
            if (out !== "" && (await lastHeard(id))) break;
            continue;
          }
          expect({ code, out }).toEqual({ code: 0, out: `${words}\n` });
          break;
        }
        await answered;
      }
      const { tickets } = await alex.list({ from: `agent:${id}` });
      expect(tickets).toHaveLength(round);
      expect(tickets.every(({ state, heard_at }) => state === "ANSWERED" && heard_at !== null)).toBe(true);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => lane(number)));
    expect(killed).toBeGreaterThanOrEqual(KILLS);
  });

  it("[CUEME-MANY-1] serves fifty agents that cue at once, each with its own answer", { timeout: 240_000 }, async () => {
    const joined = await Promise.all(Array.from({ length: 50 }, (_, at) => world.cueme(["join", `runtime_${at}`])));
    expect(joined.filter(({ code }) => code !== 0)).toEqual([]);
    const ids = joined.map(({ out }) => /^agent_id=(.*)$/m.exec(out)?.[1] as string);
    expect(new Set(ids).size).toBe(50);
    const runs = ids.map((id) => world.start("cueme", ["cue", id, "-"], { input: envelope(`What about ${id}?`) }));
    const answers = ids.map((id) => answerOnce(id, `yes, ${id}`, 0));
    await Promise.all(answers);
    const ended = await Promise.all(runs.map((run) => run.ended));
    expect(ended.map(({ code, out }) => `${code} ${out}`)).toEqual(ids.map((id) => `0 yes, ${id}\n`));
  });
});
