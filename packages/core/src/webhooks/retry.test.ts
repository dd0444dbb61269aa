import { expect, it } from "vitest";
import { retryDelay } from "./retry.ts";

const HOUR = 3_600_000;
const delays = (chance: number) => Array.from({ length: 12 }, (_, tries) => retryDelay(tries + 1, chance));

it("[WEBHOOK-RETRY-1] delays grow, are left to chance by a fifth, and end after twelve tries in about a day", () => {
  const middle = delays(0.5);
  expect(middle.slice(0, 4)).toEqual([5_000, 15_000, 45_000, 135_000]);
  expect(middle.at(-2)).toBe(6 * HOUR);
  expect(middle.at(-1)).toBeNull();
  const total = middle.reduce<number>((sum, delay) => sum + (delay ?? 0), 0);
  expect(total).toBeGreaterThan(20 * HOUR);
  expect(total).toBeLessThan(26 * HOUR);
  expect([retryDelay(1, 0), retryDelay(1, 1)]).toEqual([4_000, 6_000]);
});
