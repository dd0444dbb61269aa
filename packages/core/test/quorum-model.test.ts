// Quorums against a model that is written from D45 and not from the code: random votes, changes of groups and keys, time and
// restarts on two engines that share one store. No sequence opens a ticket without the votes that it needs.
import { isHapError } from "@hap/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { ALEX, deploy, KIM, LEE, policyText, putPolicy, SAM } from "./quorum.ts";
import { testStore, testWorld } from "./test-world.ts";

const PEOPLE = [ALEX, SAM, KIM, LEE, "human:mallory"];
const rules = [
  { need: 2, of: ["group:platform-team"] },
  { need: 2, of: ["group:platform-team", ALEX], not_requester: true, rejections: 2 },
  { need: 1, of: [ALEX, SAM], not_alone: true },
  { need: 2, of: ["group:platform-team", "role:owner"], order: "listed", rejections: 3 },
];
type Rule = { need: number; of: string[]; not_requester?: boolean; not_alone?: boolean; order?: string; rejections?: number };
type Vote = { by: string; yes: boolean; seat: string };
type Step =
  | { do: "vote"; by: string; decision: "approve" | "reject" | "request_changes"; held: boolean }
  | { do: "group"; members: string[] }
  | { do: "time"; ms: number }
  | { do: "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("vote" as const),
      by: fc.constantFrom(...PEOPLE),
      decision: fc.constantFrom("approve", "approve", "approve", "reject", "request_changes"),
      held: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("group" as const), members: fc.subarray([SAM, KIM, LEE]) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("time" as const), ms: fc.constantFrom(1000, 60_000) }) },
  { weight: 1, arbitrary: fc.constant({ do: "restart" } as const) },
);

/** The people whose yes counts now, by the words of the decision. */
function approvals(rule: Rule, votes: readonly Vote[], isIn: (person: string, entry: string) => boolean): string[] {
  const counted = votes.filter((vote) => vote.yes && isIn(vote.by, vote.seat) && !(rule.not_requester && vote.by === ALEX));
  if (rule.order !== "listed") return counted.map(({ by }) => by);
  const found: string[] = [];
  for (const seat of rule.of) {
    const vote = counted.find((one) => one.seat === seat);
    if (vote === undefined) break;
    found.push(vote.by);
  }
  return found;
}

function isSatisfied(rule: Rule, yes: readonly string[]): boolean {
  return new Set(yes).size >= rule.need && !(rule.not_alone && yes.every((person) => person === ALEX));
}

it("[QUORUM-MODEL-1] no sequence opens a ticket without the votes that it needs", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(fc.constantFrom(...rules), fc.array(step, { minLength: 4, maxLength: 14 }), (rule: Rule, steps) => {
      const store = testStore();
      const clock = testWorld();
      const open = () => store.open({ world: clock, humanId: ALEX });
      const engines = [open(), open()] as [HapEngine, HapEngine];
      let members = [SAM, KIM, LEE] as string[];
      const isIn = (person: string, entry: string) =>
        entry === person || (entry === "role:owner" ? person === ALEX : entry.startsWith("group:") && members.includes(person));
      let votes: Vote[] = [];
      let noes: string[] = [];
      try {
        putPolicy(engines[0], policyText(rule));
        const { id } = deploy(engines[0], { lease: { ttl_seconds: 86_400 } });
        for (const [index, given] of steps.entries()) {
          const engine = engines[index % 2] as HapEngine;
          if (given.do === "time") clock.advance(given.ms);
          else if (given.do === "restart") {
            engine.dispose();
            engines[index % 2] = open();
          } else if (given.do === "group") {
            members = given.members;
            putPolicy(engine, policyText(rule, { groups: { "platform-team": members } }));
          } else {
            const before = engine.getTicket(id);
            if (before.state === "APPROVED" || before.resolution !== null) break;
            const { by, decision, held } = given;
            const yes = decision === "approve";
            let went = true;
            try {
              if (held && yes) {
                engine.holdDecision(id, { decision, by, seconds: 1 });
                clock.advance(1000);
                engine.applyHeldDecisions();
              } else if (yes) engine.approve(id, undefined, { by });
              else if (decision === "reject") engine.reject(id, undefined, { by });
              else engine.requestChanges(id, undefined, { by });
            } catch (error) {
              if (!isHapError(error)) throw error;
              went = false;
            }
            const { state, quorum } = engine.getTicket(id);
            // The model knows the seat only from what a vote may take: the first entry, or in order the first that is free.
            const seats = rule.of.filter((entry) => isIn(by, entry));
            const others = votes.filter((vote) => vote.by !== by);
            const next = rule.of[approvals(rule, others, isIn).length];
            const seat = rule.order === "listed" && yes ? seats.find((entry) => entry === next) : seats[0];
            const allowed = seat !== undefined && !(yes && rule.not_requester && by === ALEX);
            expect(went).toBe(allowed);
            if (allowed) {
              votes = [...others, { by, yes, seat: seat as string }];
              noes = votes.filter((vote) => !vote.yes && isIn(vote.by, vote.seat)).map((vote) => vote.by);
            }
            const approved = isSatisfied(rule, approvals(rule, votes, isIn));
            if (state === "APPROVED") {
              expect(approved && yes).toBe(true);
              expect(noes.length).toBeLessThan(rule.rejections ?? 1);
            } else if (state === "REJECTED" || state === "CHANGES_REQUESTED") {
              expect(!yes && noes.length >= (rule.rejections ?? 1)).toBe(true);
            } else {
              expect(quorum?.yes).toBe(approvals(rule, votes, isIn).length);
              expect(allowed && yes && approved && noes.length < (rule.rejections ?? 1)).toBe(false);
              expect(allowed && !yes && noes.length >= (rule.rejections ?? 1)).toBe(false);
            }
          }
        }
        expect(engines[0].verifyEventLog()).toMatchObject({ ok: true });
      } finally {
        store.remove();
      }
    }),
    { numRuns: 25 },
  );
});
