import { expect, test } from "vitest";
import { stillCounts } from "./call-ticket.ts";

test.each([
  ["a yes, 15 minutes old", "approved", "human", 15, true],
  ["a yes, 16 minutes old", "approved", "human", 16, false],
  ["a no, 10 minutes old", "rejected", "human", 10, true],
  ["a no, 11 minutes old", "rejected", "human", 11, false],
  ["a no of a timer", "rejected", "timer", 0, false],
  ["a yes of a timer", "approved", "timer", 0, false],
  ["a withdrawal", "canceled", "agent", 0, false],
] as const)(
  "[GATE-REUSE-1, GATE-REPEAT-1, HOOK-RETRY-1, HOOK-RETRY-2] %s counts: %s by a %s after %i min: %s",
  (_, outcome, kind, minutes, counts) => {
    const at = "2026-01-31T10:00:00.000Z";
    const ticket = { state: "APPROVED", consumed: null, resolution: { outcome, actor: { kind, id: "x" }, at } };
    expect(stillCounts(ticket as never, Date.parse(at) + minutes * 60_000, false)).toBe(counts);
  },
);
