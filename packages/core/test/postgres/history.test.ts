import { expect, it } from "vitest";
import { type Answer, findViolations } from "./history.ts";

const call = (op: string, start: number, end: number, more: Partial<Answer> = {}): Answer => ({
  op,
  id: "tk_1",
  start,
  end,
  ...more,
});
const judge = (final: string, ...answers: Answer[]) => findViolations(answers, () => final);
const read = (start: number, end: number, state: string) => call("read", start, end, { state });
const decide = (start: number, end: number, state = "APPROVED") => call("decide", start, end, { state });
const late = (start: number, end: number) => call("refused", start, end, { of: "decide", code: "already_decided" });

it("[PG-HISTORY-1] accepts histories that have an order", () => {
  expect(
    judge("APPROVED", read(0, 1, "PENDING"), decide(2, 5), read(3, 4, "PENDING"), read(6, 7, "APPROVED"), late(6, 8)),
  ).toEqual([]);
  // A decision whose answer was lost may be seen at any time after it was asked for, or never.
  const lost = { op: "unknown", of: "decide", id: "tk_1", start: 2 };
  expect(judge("REJECTED", lost, read(3, 4, "PENDING"), read(5, 6, "REJECTED"))).toEqual([]);
  expect(judge("PENDING", lost, read(9, 10, "PENDING"))).toEqual([]);
});

it("[PG-HISTORY-1] finds what no order explains", () => {
  expect(judge("APPROVED", decide(0, 1), decide(2, 3))).toContain("tk_1: two decisions were acknowledged");
  expect(judge("PENDING", decide(0, 1))).toEqual(["tk_1: APPROVED was acknowledged, and it is PENDING"]);
  expect(judge("APPROVED", decide(0, 1), read(2, 3, "PENDING"))).toEqual([
    "tk_1: a read saw PENDING after the decision was known",
  ]);
  expect(judge("APPROVED", decide(0, 9), read(1, 2, "APPROVED"), read(3, 4, "DELIVERED"))).toHaveLength(1);
  expect(judge("APPROVED", decide(0, 9), late(1, 2), read(3, 4, "PENDING"))).toHaveLength(1);
  expect(judge("APPROVED", decide(5, 6), read(1, 2, "APPROVED"))).toContain(
    "tk_1: a decision was seen before anybody had asked for one",
  );
  expect(judge("REJECTED", decide(0, 1, "REJECTED"), read(2, 3, "APPROVED"))).toEqual([
    "tk_1: a read saw APPROVED, and it is REJECTED",
  ]);
});
