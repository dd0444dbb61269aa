import { expect, test } from "vitest";
import { ASSURANCE_LEVELS, atLeast, isOpen, PROTOCOL_VERSION, TICKET_STATES, TIMER_ACTOR } from "./constants.ts";

test("[ASSURE-LEVEL-1] levels are ordered from none to passkey", () => {
  expect(ASSURANCE_LEVELS).toEqual(["none", "local", "session", "key", "present", "passkey"]);
  for (const [i, level] of ASSURANCE_LEVELS.entries())
    for (const [j, least] of ASSURANCE_LEVELS.entries()) expect(atLeast(level, least)).toBe(i >= j);
});

test("three states are open, six are ends", () => {
  expect(TICKET_STATES.filter(isOpen)).toEqual(["PENDING", "DELIVERED", "ACKED"]);
  expect(TICKET_STATES).toHaveLength(9);
});

test("the version is 0.2, and the timer has the draft's name", () => {
  expect([PROTOCOL_VERSION, TIMER_ACTOR]).toEqual(["0.2", { kind: "timer", id: "system:timeout" }]);
});
