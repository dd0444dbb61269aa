// Grants against their model: random begins, phrases, uses, ends and moves of the clock on two engines that share one store. A call
// opens only by a grant that a person confirmed, never more often, never later than it says.
import { isHapError } from "@hap/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { CALL, command } from "./grant.ts";
import { testStore, testWorld } from "./test-world.ts";

const BY = "human:alex";
type Step =
  | { do: "begin"; uses: number; seconds: number; verdict: "allow" | "deny" }
  | { do: "confirm"; which: number; how: "phrase" | "guess" | "none" | "other phrase" }
  | { do: "use" }
  | { do: "end"; which: number }
  | { do: "time"; ms: number };

const nat = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("begin" as const),
      uses: fc.constantFrom(1, 2, 3),
      seconds: fc.constantFrom(5, 60),
      verdict: fc.constantFrom("allow", "allow", "allow", "deny"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("confirm" as const),
      which: nat,
      how: fc.constantFrom("phrase", "phrase", "phrase", "guess", "none", "other phrase"),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ do: "use" } as const) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("end" as const), which: nat }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("time" as const), ms: fc.constantFrom(1, 1000, 5000, 60_000, -4000) }) },
);

type Begun = { nonce: string; at: number; uses: number; seconds: number; verdict: "allow" | "deny" };
type Live = { id: string; left: number; endsAt: number; createdAt: number };

/** Run a step and say whether it went through. */
function tried(work: () => unknown): boolean {
  try {
    return work() !== null;
  } catch (error) {
    if (isHapError(error)) return false;
    throw error;
  }
}

it("[GRANT-MODEL-1] no sequence opens a call without a confirmed grant, more often or later than it says", {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) => {
      const store = testStore();
      const clock = testWorld();
      const open = () => store.open({ world: clock, humanId: BY });
      const engines = [open(), open()] as [HapEngine, HapEngine];
      const begun: Begun[] = [];
      const live: Live[] = [];
      let latest = clock.now();
      try {
        for (const [index, given] of steps.entries()) {
          const engine = engines[index % 2] as HapEngine;
          if (given.do === "time") {
            clock.jump(given.ms);
            continue;
          }
          if (given.do === "begin") {
            const { uses, seconds, verdict } = given;
            // A denial is about something else, so that it never stands in the way.
            const what = verdict === "allow" ? { commands: ["npm install *"], uses } : { commands: ["yarn *"] };
            const input = { verdict, agent: "agent:ci", project: "/srv/app", seconds, ...what };
            begun.push({ nonce: engine.beginGrant(input, BY).statement.nonce, at: clock.now(), uses, seconds, verdict });
          } else if (given.do === "confirm") {
            const one = begun[given.which];
            if (one === undefined) continue;
            let phrase: string | undefined;
            if (given.how === "guess") phrase = "allow agent:ci 0000";
            const source = given.how === "phrase" ? one : begun[(given.which + 1) % begun.length];
            if ((given.how === "phrase" || given.how === "other phrase") && source !== undefined)
              tried(() => {
                ({ phrase } = engine.issueGrantPhrase(source.nonce, BY));
                return phrase;
              });
            const confirmed = given.how === "phrase" || source === one || one.verdict === "deny";
            let id = "";
            const went = tried(() => {
              id = engine.createGrant({ nonce: one.nonce, by: BY, ...(phrase === undefined ? {} : { phrase }) }).id;
              return id;
            });
            if (went) {
              expect(confirmed).toBe(true);
              const endsAt = one.at + one.seconds * 1000;
              if (one.verdict === "allow") live.push({ id, left: one.uses, endsAt, createdAt: clock.now() });
            }
          } else if (given.do === "end") {
            const one = live[given.which];
            if (one !== undefined && tried(() => engine.endGrant(one.id, { by: BY }))) one.left = 0;
          } else {
            const use = engine.useGrant(command("npm install x"), CALL);
            if (use !== null) {
              const one = live.find(({ id }) => id === use.grant_id);
              expect(one).toBeDefined();
              if (one === undefined) continue;
              expect(one.left).toBeGreaterThan(0);
              expect(clock.now()).toBeLessThan(one.endsAt);
              expect(clock.now()).toBeGreaterThanOrEqual(one.createdAt);
              expect(clock.now()).toBeGreaterThanOrEqual(latest - 5000);
              one.left -= 1;
            }
          }
          latest = Math.max(latest, clock.now());
        }
        expect(engines[0].verifyEventLog()).toMatchObject({ ok: true });
      } finally {
        store.remove();
      }
    }),
    { numRuns: 40 },
  );
});
