import { expect, test } from "vitest";
import { exampleTicket } from "../test/example-ticket.ts";
import { ACTOR_KINDS, OUTCOMES } from "./constants.ts";
import { outcomeForPerson } from "./outcome-for-person.ts";
import type { Resolution } from "./schema/ticket.ts";

const ended = (outcome: Resolution["outcome"], kind: Resolution["actor"]["kind"], more: Partial<Resolution> = {}) =>
  outcomeForPerson(
    {
      state: "APPROVED",
      resolution: {
        outcome,
        actor: { kind, id: "human:alex" },
        assurance: "none",
        confirmed: false,
        unproven: false,
        trust: "open",
        at: exampleTicket.created_at,
        comment: "Not now",
        answer: null,
        edits: null,
        ...more,
      },
    },
    (id) => id.replace("human:", ""),
  );

test("[WORDS-PERSON-1] a person reads what happened, and nothing that is meant for the agent", () => {
  const all = OUTCOMES.flatMap((outcome) => ACTOR_KINDS.map((kind) => ended(outcome, kind) as string));
  expect(new Set(all).size).toBe(all.length);
  for (const words of all) expect(words).not.toMatch(/do not do this|you may ask again|They said|Not now|_/);
  expect(ended("rejected", "human")).toBe("Rejected by alex.");
  expect(ended("approved", "human", { edits: { command: "ls" } })).toBe("Approved with edits by alex.");
  expect(ended("rejected", "timer")).toContain("timer");
  expect(outcomeForPerson(exampleTicket)).toBeNull();
});
