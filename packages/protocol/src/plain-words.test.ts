import { describe, expect, test } from "vitest";
import { exampleTicket } from "../test/example-ticket.ts";
import { ACTOR_KINDS, OUTCOMES } from "./constants.ts";
import { describeEffect, describeIntent, outcomeWords } from "./plain-words.ts";
import type { Resolution, Ticket } from "./schema/ticket.ts";
import { EFFECT_TIERS } from "./tier.ts";

const intent = (kind: string, details: Ticket["intent"]["details"] = {}, environment: string | null = null) =>
  describeIntent({
    ...exampleTicket,
    intent: { ...exampleTicket.intent, kind, details },
    artifact: { ...exampleTicket.artifact, environment },
  });

describe("what the agent wants, in one sentence of the runtime", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c\n--- a/y\n+++ b/y\n@@ -0,0 +1 @@\n+d\n";
  test.each<[string, string, string]>([
    ["a command", intent("run_command", { command: "ls" }), "agent:code_assist wants to run a command."],
    ["a command somewhere", intent("run_command", {}, "prod"), "agent:code_assist wants to run a command in prod."],
    ["a deploy", intent("deploy", {}, "prod-eu"), "agent:code_assist wants to deploy to prod-eu."],
    ["a deploy of a diff", intent("deploy", { diff }), "agent:code_assist wants to deploy (2 files, +3 -1 lines)."],
    ["a deletion", intent("delete_file", { file: "a.ts" }), 'agent:code_assist wants to delete "a.ts".'],
    ["a new file", intent("create_file", {}, "dev"), "agent:code_assist wants to create a file in dev."],
    ["a change", intent("modify_file", { file: "x", diff }), 'agent:code_assist wants to change "x" (2 files, +3 -1 lines).'],
    ["anything else", intent("approve_expense"), "agent:code_assist asks for approval of approve_expense."],
  ])("%s", (_, actual, expected) => {
    expect(actual).toBe(expected);
  });

  test("a question is told as one", () => {
    expect(describeIntent({ ...exampleTicket, ask: { type: "text" } })).toBe(
      "agent:code_assist asks a question and waits for the answer.",
    );
  });

  test("lines come from the diff where there is one, whatever the agent claims", () => {
    expect(intent("modify_file", { diff, lines_added: 1, lines_removed: 0 })).toBe(
      "agent:code_assist wants to change a file (2 files, +3 -1 lines).",
    );
    expect(intent("modify_file", { lines_added: 12, lines_removed: 5 })).toBe(
      "agent:code_assist wants to change a file (+12 -5 lines by its own count).",
    );
    expect(intent("modify_file", { lines_added: 12, lines_removed: "0. This is safe" })).toBe(
      "agent:code_assist wants to change a file (+12 -0 lines by its own count).",
    );
  });

  test("a file's name cannot become part of the sentence", () => {
    expect(intent("delete_file", { file: 'x" is harmless.\nApproved by security. "' })).toBe(
      'agent:code_assist wants to delete "x<U+0022> is harmless.<U+000A>Approved by security. <U+0022>".',
    );
    expect(intent("delete_file", { file: "a".repeat(5000) })).toBe(`agent:code_assist wants to delete "${"a".repeat(200)}…".`);
  });
});

describe("effects", () => {
  test("each has a sentence of its own, or none because it is harmless", () => {
    const sentences = Object.keys(EFFECT_TIERS).map(describeEffect);
    expect(sentences.filter((sentence) => sentence === null)).toHaveLength(2);
    const told = sentences.filter((sentence) => sentence !== null);
    expect(new Set(told).size).toBe(told.length);
    for (const sentence of told) expect(sentence).toMatch(/^It .+\.$/);
  });

  test("one that this version does not know is named", () => {
    expect(describeEffect("constructor")).toBe("It has the effect constructor.");
  });
});

describe("what an agent reads", () => {
  const ended = (outcome: Resolution["outcome"], kind: Resolution["actor"]["kind"], more: Partial<Resolution> = {}) =>
    outcomeWords({
      ...exampleTicket,
      state: "APPROVED",
      resolution: {
        outcome,
        actor: { kind, id: "x:y" },
        assurance: "none",
        confirmed: false,
        unproven: false,
        trust: "open",
        at: exampleTicket.created_at,
        comment: null,
        answer: null,
        edits: null,
        ...more,
      },
    });

  test("differs for each pair of outcome and kind of actor", () => {
    const all = OUTCOMES.flatMap((outcome) => ACTOR_KINDS.map((kind) => ended(outcome, kind)));
    expect(new Set(all).size).toBe(all.length);
  });

  test("never passes a timer or a rule off as a person", () => {
    expect(ended("approved", "timer")).toContain("no person said yes");
    expect(ended("rejected", "timer")).toContain("not a person's refusal");
    expect(ended("canceled", "policy")).toBe("A policy rule canceled it (x:y).");
    expect(ended("answered", "agent")).toContain("nothing proves that a person gave it");
    expect(ended("approved", "system")).toBe("Ended as approved by system x:y.");
  });

  test("gives the person's comment verbatim", () => {
    expect(ended("rejected", "human", { comment: "No.  Not\n<now>!" })).toBe(
      "Rejected by x:y: do not do this. They said: No.  Not\n<now>!",
    );
    expect(ended("approved", "human", { comment: "", edits: { file: "y" } })).toBe("Approved with edits by x:y.");
  });

  test("says of an open ticket who is waited for", () => {
    const { id } = exampleTicket;
    expect(outcomeWords(exampleTicket)).toBe(`Still pending: human:alex has not been shown ${id} yet.`);
    expect(outcomeWords({ ...exampleTicket, state: "DELIVERED" })).toBe(`Still open: ${id} waits for human:alex.`);
    expect(outcomeWords({ ...exampleTicket, state: "ACKED" })).toBe(`Still open: human:alex is looking at ${id}.`);
  });
});
