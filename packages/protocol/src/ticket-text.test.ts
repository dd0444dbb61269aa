import { expect, it } from "vitest";
import { holdsText } from "./ticket-text.ts";

const ticket = {
  id: "tk_0123456789abcdefghjkmnpqrs",
  from: "agent:ci",
  to: "human:alex",
  project: "/src/app",
  session: null,
  intent: { kind: "run_command", summary: "Clean the Cache", details: { command: "rm -rf ./cache", note: "unseen" } },
};

it.each([
  ["", true],
  ["cache", true],
  ["CLEAN ci", true],
  ["rm -rf", true],
  ["  alex   app ", true],
  ["npqrs", true],
  ["clean deploy", false],
  ["unseen", false],
])("[LIST-TEXT-1] %j is found: %s", (text, expected) => {
  expect(holdsText(ticket, text)).toBe(expected);
});
