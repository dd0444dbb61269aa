import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS, OPEN_STATES, type OpenState, TIMEOUT_ACTIONS, type TimeoutAction } from "./constants.ts";
import {
  deliverLease,
  dueStep,
  extendLease,
  isLate,
  type LeaseClock,
  nextDeadline,
  pauseLease,
  reassignLease,
  remainingMs,
  restartLease,
  resumeLease,
  snoozeLease,
  startLease,
  timeoutEnd,
  withinAddedLimit,
} from "./lease.ts";

const minute = 60_000;
const week = LIMITS.addedSecondsMax * 1000;

describe("a lease", () => {
  test("[LEASE-START-2] that nobody was given ends a full TTL after its creation", () => {
    const clock = startLease(1000, minute);
    expect(nextDeadline(clock)).toBe(61_000);
    expect([dueStep("PENDING", clock, 60_999), dueStep("PENDING", clock, 61_000)]).toEqual(["nothing", "timeout"]);
  });

  test("[LEASE-START-1] runs in full from its delivery on", () => {
    const clock = deliverLease(startLease(1000, minute), 50_000);
    expect(clock).toEqual({ ttlMs: minute, deadline: 110_000, remaining: null, lapseAt: null, addedMs: 0 });
    expect([remainingMs(clock, 50_000), remainingMs(clock, 80_000), remainingMs(clock, 200_000)]).toEqual([minute, 30_000, 0]);
  });

  test("[LEASE-EXTEND-1] keeps on delivery what a person added before", () => {
    const clock = extendLease(startLease(0, minute), 10 * minute, true);
    expect(deliverLease(clock, 30_000).deadline).toBe(11 * minute);
    expect(deliverLease(clock, 10 * minute + 1).deadline).toBe(11 * minute + 1);
  });

  test("stands still while it is acked, for as long as it takes", () => {
    const clock = pauseLease(deliverLease(startLease(0, minute), 0), 30_000, null);
    expect([remainingMs(clock, 30_000), remainingMs(clock, 30_000 + week)]).toEqual([30_000, 30_000]);
    expect([nextDeadline(clock), dueStep("ACKED", clock, 30_000 + week)]).toEqual([null, "nothing"]);
  });

  test("runs on where it stood when a temporary ack lapses, whenever that is noticed", () => {
    const clock = pauseLease(deliverLease(startLease(0, minute), 0), 20_000, 600_000);
    expect([nextDeadline(clock), dueStep("ACKED", clock, 619_999), dueStep("ACKED", clock, 620_000)]).toEqual([
      620_000,
      "nothing",
      "lapse",
    ]);
    const resumed = resumeLease(clock, 620_000);
    expect(resumed).toEqual({ ttlMs: minute, deadline: 660_000, remaining: null, lapseAt: null, addedMs: 0 });
    expect(dueStep("DELIVERED", resumed, 660_000)).toBe("timeout");
  });

  test("keeps what was left when it is acked again", () => {
    const first = pauseLease(deliverLease(startLease(0, minute), 0), 20_000, 600_000);
    expect(pauseLease(first, 300_000, null)).toEqual({
      ttlMs: minute,
      deadline: null,
      remaining: 40_000,
      lapseAt: null,
      addedMs: 0,
    });
  });

  test("that was acked after its end has nothing left", () => {
    expect(pauseLease(deliverLease(startLease(0, minute), 0), minute + 5, null).remaining).toBe(0);
  });

  test("[LEASE-EXTEND-1] gets longer by what a person adds, running or paused, within seven days in all", () => {
    const running = extendLease(deliverLease(startLease(0, minute), 0), minute, true);
    expect([running.deadline, running.addedMs]).toEqual([2 * minute, minute]);
    const paused = extendLease(pauseLease(running, minute, null), week - minute, true);
    expect([paused.remaining, paused.addedMs, paused.deadline]).toEqual([week, week, null]);
    expect([
      withinAddedLimit(running, week - minute),
      withinAddedLimit(running, week - minute + 1),
      withinAddedLimit(paused, 1),
    ]).toEqual([true, false, false]);
  });

  test("gets longer by what a waiter adds without counting it", () => {
    const clock = extendLease(deliverLease(startLease(0, minute), 0), minute, false);
    expect([clock.deadline, clock.addedMs]).toEqual([2 * minute, 0]);
  });

  test("[LEASE-EXTEND-1] that is snoozed gets longer, and so does a temporary ack", () => {
    const running = snoozeLease(deliverLease(startLease(0, minute), 0), minute);
    expect([running.deadline, running.lapseAt, running.addedMs]).toEqual([2 * minute, null, minute]);
    const acked = snoozeLease(pauseLease(deliverLease(startLease(0, minute), 0), 0, 1000), minute);
    expect([acked.remaining, acked.lapseAt, acked.addedMs]).toEqual([2 * minute, minute + 1000, minute]);
  });

  test("starts afresh when the ticket is escalated, and this counts for nobody", () => {
    const clock = restartLease(extendLease(deliverLease(startLease(0, minute), 0), minute, true), 2 * minute);
    expect(clock).toEqual({ ttlMs: minute, deadline: 3 * minute, remaining: null, lapseAt: null, addedMs: minute });
  });

  test("[LEASE-EXTEND-1] starts afresh when a person reassigns the ticket, and what that gives counts", () => {
    const running = reassignLease(deliverLease(startLease(0, minute), 0), 40_000);
    expect([running.deadline, running.addedMs]).toEqual([100_000, 40_000]);
    const paused = reassignLease(pauseLease(deliverLease(startLease(0, minute), 0), 10_000, 5000), 500_000);
    expect(paused).toEqual({ ttlMs: minute, deadline: 560_000, remaining: null, lapseAt: null, addedMs: 10_000 });
    const longer = reassignLease(extendLease(startLease(0, minute), minute, true), 0);
    expect([longer.deadline, longer.addedMs]).toEqual([minute, minute]);
  });
});

describe("[TIMEOUT-ACTION-1, TIMEOUT-APPROVE-2] the end of a lease", () => {
  test.each<[OpenState, TimeoutAction, number, string, string]>([
    ["DELIVERED", "auto_reject", 0, "EXPIRED", "rejected"],
    ["PENDING", "auto_reject", 0, "EXPIRED", "rejected"],
    ["DELIVERED", "cancel", 0, "CANCELED", "canceled"],
    ["PENDING", "cancel", 0, "CANCELED", "canceled"],
    ["DELIVERED", "auto_approve", 0, "APPROVED", "approved"],
    ["DELIVERED", "auto_approve", 60_000, "APPROVED", "approved"],
    ["DELIVERED", "auto_approve", 60_001, "EXPIRED", "rejected"],
    ["PENDING", "auto_approve", 0, "EXPIRED", "rejected"],
    ["ACKED", "auto_approve", 0, "EXPIRED", "rejected"],
    ["DELIVERED", "cancel", 86_400_000, "CANCELED", "canceled"],
  ])("%s under %s, applied %d ms late, is %s", (state, action, late, end, outcome) => {
    expect(timeoutEnd(state, action, isLate(1000, 1000 + late))).toEqual({ state: end, outcome });
  });

  test("only a delivered ticket is ever approved by time, and only in time", () => {
    const anyEnd = fc.record({
      state: fc.constantFrom(...OPEN_STATES),
      action: fc.constantFrom(...TIMEOUT_ACTIONS),
      late: fc.integer({ min: 0, max: 200_000 }),
    });
    fc.assert(
      fc.property(anyEnd, ({ state, action, late }) => {
        const approved = timeoutEnd(state, action, isLate(0, late)).state === "APPROVED";
        expect(approved).toBe(state === "DELIVERED" && action === "auto_approve" && late <= 60_000);
      }),
    );
  });
});

type Step =
  | { do: "wait" | "extend" | "renew" | "snooze"; ms: number }
  | { do: "deliver" | "escalate" | "reassign" | "ack" }
  | { do: "peek"; ms: number };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("wait", "extend", "renew", "snooze", "peek"), ms: fc.integer({ min: 1, max: 100_000 }) }),
  fc.record({ do: fc.constantFrom("deliver", "escalate", "reassign", "ack") }),
);

test("a lease agrees with somebody who counts every millisecond of running time", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200_000 }), fc.array(anyStep, { maxLength: 30 }), (ttl, steps) => {
      let now = 0;
      let state: OpenState = "PENDING";
      let clock: LeaseClock = startLease(now, ttl);
      // The other way of counting: time left, whether it runs, and how long a pause still lasts.
      let left = ttl;
      let pauseLeft: number | null = 0;
      let added = 0;
      const tick = (ms: number) => {
        const paused = pauseLeft === null ? ms : Math.min(ms, pauseLeft);
        if (pauseLeft !== null) pauseLeft -= paused;
        left = Math.max(0, left - (ms - paused));
      };
      for (const step of steps) {
        if (dueStep(state, clock, now) === "lapse") {
          clock = resumeLease(clock, clock.lapseAt as number);
          state = "DELIVERED";
        }
        if (dueStep(state, clock, now) === "timeout") {
          expect(left).toBe(0);
          break;
        }
        if (step.do === "wait") {
          now += step.ms;
          tick(step.ms);
        } else if (step.do === "extend" || step.do === "renew" || step.do === "snooze") {
          const counts = step.do !== "renew";
          clock = step.do === "snooze" ? snoozeLease(clock, step.ms) : extendLease(clock, step.ms, counts);
          left += step.ms;
          if (step.do === "snooze" && state === "ACKED" && pauseLeft !== null) pauseLeft += step.ms;
          if (counts) added += step.ms;
        } else if (step.do === "deliver" && state === "PENDING") {
          clock = deliverLease(clock, now);
          state = "DELIVERED";
          left = Math.max(ttl, left);
        } else if ((step.do === "ack" || step.do === "peek") && state === "DELIVERED") {
          pauseLeft = step.do === "peek" ? step.ms : null;
          clock = pauseLease(clock, now, pauseLeft);
          state = "ACKED";
        } else if ((step.do === "escalate" && state !== "ACKED") || step.do === "reassign") {
          if (step.do === "reassign") added += Math.max(0, ttl - left);
          clock = step.do === "reassign" ? reassignLease(clock, now) : restartLease(clock, now);
          state = "PENDING";
          left = ttl;
          pauseLeft = 0;
        }
        expect((clock.deadline === null) !== (clock.remaining === null)).toBe(true);
        if (dueStep(state, clock, now) !== "lapse") expect(remainingMs(clock, now)).toBe(left);
        expect(clock.addedMs).toBe(added);
      }
    }),
    { numRuns: 1000 },
  );
});
