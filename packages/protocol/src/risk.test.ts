import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeRisk, DEFAULT_RISK_TABLE, isTuned, type RiskInput, riskWord } from "./risk.ts";

const base: RiskInput = { kind: "modify_file", linesChanged: 5, environment: null, confidence: null };
const risk = (input: Partial<RiskInput>) => computeRisk({ ...base, ...input });

describe("[RISK-FORMULA-1] the draft's worked examples, exactly", () => {
  test.each<[string, Partial<RiskInput>, number]>([
    ["a small refactor in dev, confident", { environment: "dev", confidence: 0.9 }, 0.14],
    ["a deploy to prod, less confident", { kind: "deploy", environment: "prod", confidence: 0.6 }, 0.86],
    ["a deletion in staging, confidence unknown", { kind: "delete_file", environment: "staging" }, 0.58],
  ])("%s", (_, input, expected) => {
    expect(risk(input).risk).toBe(expected);
  });
});

describe("[RISK-FACTOR-1] factors", () => {
  test.each<[string, Partial<RiskInput>, number]>([
    ["0 lines", { linesChanged: 0 }, 0.1],
    ["9 lines", { linesChanged: 9 }, 0.1],
    ["10 lines", { linesChanged: 10 }, 0.3],
    ["49 lines", { linesChanged: 49 }, 0.3],
    ["50 lines", { linesChanged: 50 }, 0.6],
    ["199 lines", { linesChanged: 199 }, 0.6],
    ["200 lines", { linesChanged: 200 }, 0.9],
    ["a million lines", { linesChanged: 1e6 }, 0.9],
    ["deleting a file", { kind: "delete_file" }, 0.7],
    ["running a command", { kind: "run_command" }, 0.8],
    ["deploying", { kind: "deploy" }, 0.95],
    ["creating a file, which the draft does not name", { kind: "create_file", linesChanged: 500 }, 0.5],
    ["anything else", { kind: "approve_expense" }, 0.5],
    ["a kind that is a word of JavaScript", { kind: "constructor" }, 0.5],
  ])("scope of %s", (_, input, scope) => {
    expect(risk(input).factors.scope).toBe(scope);
  });

  test.each<[string | null, number]>([
    [null, 0.3],
    ["", 0.3],
    ["test", 0.3],
    ["prod", 1],
    ["production-eu", 1],
    ["preprod", 1],
    ["staging", 0.5],
    ["staging-prod", 1],
    ["dev", 0.2],
    ["dev-staging", 0.5],
    ["devel", 0.2],
  ])("environment %s is %d", (environment, factor) => {
    expect(risk({ environment }).factors.environment).toBe(factor);
  });

  test.each<[number | null, number]>([
    [null, 0.5],
    [0, 1],
    [1, 0],
    [0.9, 0.1],
    [0.6, 0.4],
    [0.123456, 0.8765],
  ])("confidence %s is a penalty of %d", (confidence, factor) => {
    expect(risk({ confidence }).factors.confidence).toBe(factor);
  });
});

test("the penalty enters the sum unrounded, and only the sum is cut to four decimals", () => {
  // 0.04 + 0.12 + 0.2 * (1 - 0.99974) = 0.160052; the penalty rounded first would give 0.16006.
  expect(risk({ confidence: 0.99974 }).risk).toBe(0.1601);
  expect(risk({ confidence: 0.99975 }).risk).toBe(0.1601);
  expect(risk({ confidence: 0.99976 }).risk).toBe(0.16);
});

test("risk is between 0 and 1 with four decimals, whatever comes in", () => {
  const anyInput = fc.record({
    kind: fc.constantFrom("modify_file", "delete_file", "run_command", "deploy", "other"),
    linesChanged: fc.nat(1000),
    environment: fc.constantFrom(null, "prod", "staging", "dev", "x"),
    confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  });
  fc.assert(
    fc.property(anyInput, fc.double({ min: -5, max: 5, noNaN: true }), (input, weight) => {
      const table = { ...DEFAULT_RISK_TABLE, weights: { ...DEFAULT_RISK_TABLE.weights, scope: weight } };
      for (const value of [computeRisk(input).risk, computeRisk(input, table).risk]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(value).toBe(Number(value.toFixed(4)));
      }
    }),
  );
});

test.each<[number, string]>([
  [0, "low"],
  [0.2999, "low"],
  [0.3, "medium"],
  [0.6999, "medium"],
  [0.7, "high"],
  [1, "high"],
])("[RISK-WORDS-1] risk %d is %s", (value, word) => {
  expect(riskWord(value)).toBe(word);
});

test("a policy's table replaces the draft's numbers, and is known to differ", () => {
  const tuned = { ...DEFAULT_RISK_TABLE, environment: { ...DEFAULT_RISK_TABLE.environment, other: 1 } };
  expect(computeRisk(base, tuned)).toEqual({ risk: 0.54, factors: { scope: 0.1, environment: 1, confidence: 0.5 } });
  expect([isTuned(tuned), isTuned(DEFAULT_RISK_TABLE), isTuned(structuredClone(DEFAULT_RISK_TABLE))]).toEqual([
    true,
    false,
    false,
  ]);
  const short = { ...DEFAULT_RISK_TABLE, scope: { ...DEFAULT_RISK_TABLE.scope, modify_file: [{ below: 10, factor: 0 }] } };
  expect(computeRisk({ ...base, linesChanged: 10 }, short).factors.scope).toBe(0.5);
});
