import { expect, it } from "vitest";
import { readingSteps } from "./reading-steps.ts";

const MOST = 1e9;

it.each([
  ["ls -l", 0],
  ["}}}", 0],
  ["{a,b}", 4],
  ["{a,{b,c}}", 8 + 4],
  ["{a {b", 2 + 2],
  ["{a;{b|{c", 2 + 2 + 2],
  ["{a\\ b", 5],
  ["{a\\} b", 4],
  ["{'a }' b", 6],
  ['{"a \\" }" b', 9],
  ["{'a b", 5],
  ['{"$(a)" b', 9],
  ["{`a b", 5],
  ["{$(a b", 6],
  ["{<(a b", 6],
  ["{@(a b", 6],
  ["{f(a b", 2],
  ["$[1]", 4],
  ["$[$[", 8],
])("counts how far the grammar looks ahead in %j: %i", (text, steps) => {
  expect(readingSteps(text, MOST)).toBe(steps);
});

it("grows with the square of what stays open, and with the length of what is closed", () => {
  expect(readingSteps("{".repeat(2000), MOST)).toBeGreaterThan(3.9 * readingSteps("{".repeat(1000), MOST));
  expect(readingSteps("{a}".repeat(2000), MOST)).toBe(2 * readingSteps("{a}".repeat(1000), MOST));
  expect(readingSteps("echo {a ".repeat(2000), MOST)).toBe(2 * readingSteps("echo {a ".repeat(1000), MOST));
});

it("is itself done when there is too much", () => {
  const steps = readingSteps("{".repeat(60_000), 100_000);
  expect(steps).toBeGreaterThan(100_000);
  expect(steps).toBeLessThan(200_000);
});
