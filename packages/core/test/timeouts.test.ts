// What time alone does (D10): it rejects, cancels and, where it may, approves; and never when a clock jumped or nobody ran.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world });
});
afterEach(() => store.remove());

const timed = (on_timeout: "auto_approve" | "auto_reject" | "cancel", more = {}) =>
  engine.createTicket({ to: "human:alex", file: "src/a.ts", ttl_seconds: 60, on_timeout, ...more }).id;
const delivered = (on_timeout: "auto_approve" | "auto_reject" | "cancel") => engine.deliver(timed(on_timeout)).id;
const timer = { actor: { kind: "timer", id: "system:timeout" }, assurance: "none", confirmed: false, comment: null };

describe("the end of a lease", () => {
  it.each([
    ["auto_reject", "EXPIRED", "rejected"],
    ["cancel", "CANCELED", "canceled"],
    ["auto_approve", "APPROVED", "approved"],
  ] as const)("[TIMEOUT-ACTION-1] under %s makes a delivered ticket %s (%s), by the timer", (action, state, outcome) => {
    const id = delivered(action);
    world.advance(60_000);
    expect(engine.getTicket(id)).toMatchObject({ state, resolution: { outcome, ...timer } });
    expect(engine.getEvents({ ticket: id }).at(-2)?.payload).toMatchObject({ type: "ticket.timeout", action_taken: action });
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[TIMEOUT-APPROVE-2] never approves a ticket that nobody was shown", () => {
    const id = timed("auto_approve");
    world.advance(60_000);
    expect(engine.getTicket(id)).toMatchObject({ state: "EXPIRED", resolution: { outcome: "rejected", ...timer } });
    expect(engine.getEvents({ ticket: id }).at(-2)?.payload).toMatchObject({ action_taken: "auto_reject", late: false });
  });

  it.each([
    [60_000, "APPROVED", false],
    [60_001, "EXPIRED", true],
    [864_000_000, "EXPIRED", true],
  ] as const)("[TIMEOUT-APPROVE-2, FAULT-CLOCK-1] applied %d ms late makes it %s", (lateMs, state, late) => {
    const id = delivered("auto_approve");
    world.advance(60_000 + lateMs);
    expect(engine.getTicket(id).state).toBe(state);
    expect(engine.getEvents({ ticket: id }).at(-2)?.payload).toMatchObject({ type: "ticket.timeout", late });
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[TIMEOUT-APPROVE-2, FAULT-CLOCK-1] after a sleep in which nobody ran approves nothing", () => {
    const id = delivered("auto_approve");
    engine.dispose();
    world.advance(8 * 3_600_000);
    engine = store.open({ world });
    expect(engine.getTicket(id).state).toBe("EXPIRED");
  });

  it.each([60_000, 61_000, 3_600_000, 5_100])(
    "[FAULT-CLOCK-1] that a wall clock reached by jumping %d ms ahead approves nothing",
    (ms) => {
      const id = delivered("auto_approve");
      world.advance(Math.max(0, 60_000 - ms));
      world.jump(ms);
      expect(engine.getTicket(id)).toMatchObject({ state: "EXPIRED", resolution: { outcome: "rejected" } });
      expect(engine.verifyEventLog().ok).toBe(true);
    },
  );

  it("[FAULT-CLOCK-1] that is reached only because the clock went back and forth approves nothing", () => {
    const id = delivered("auto_approve");
    world.jump(-3_600_000);
    world.advance(30_000);
    expect(engine.getTicket(id).state).toBe("DELIVERED");
    world.jump(3_660_000);
    expect(engine.getTicket(id).state).toBe("EXPIRED");
  });

  it("[FAULT-CLOCK-1] with a clock that was nudged by less than five seconds still counts", () => {
    const id = delivered("auto_approve");
    world.jump(4_000);
    world.advance(56_000);
    expect(engine.getTicket(id).state).toBe("APPROVED");
  });

  it("[FAULT-CLOCK-1] after a restart of the machine, whose uptime began anew, approves nothing", () => {
    const id = delivered("auto_approve");
    engine.dispose();
    const later = testWorld(world.now() + 60_000);
    engine = store.open({ world: later });
    expect(engine.getTicket(id).state).toBe("EXPIRED");
  });

  it("[TIMEOUT-ACTION-1, TICKET-ACK-2] approves what was acked at once, after that ack has lapsed", () => {
    const id = timed("auto_approve");
    engine.ack(id, undefined, { lapseSeconds: 10 });
    world.advance(70_000);
    expect(engine.getTicket(id)).toMatchObject({ state: "APPROVED", resolution: timer });
  });

  it("[TIMEOUT-ACKED-1] never comes for a ticket that is acked for good", () => {
    const id = delivered("auto_approve");
    engine.ack(id);
    world.advance(86_400_000);
    expect(engine.getTicket(id).state).toBe("ACKED");
  });
});

describe("auto_approve", () => {
  it("[TIMEOUT-APPROVE-1] is refused for a critical ticket, with what makes it critical", () => {
    const error = refusal(() =>
      timed("auto_approve", { kind: "run_command", details: { command: "sudo rm -rf /var/lib" }, file: undefined }),
    );
    expect(error).toMatchObject({ code: "auto_approve_refused", fields: { field: "lease.on_timeout", tier: "critical" } });
    expect(error.message).toContain("privilege");
    expect(refusal(() => timed("auto_approve", { risk: 0.7 })).message).toContain("critical (risk 0.7");
    expect(engine.listAll()).toEqual([]);
  });

  it("[TIMEOUT-APPROVE-1] is refused for a question", () => {
    const error = refusal(() => timed("auto_approve", { ask: { type: "text", prompt: "Why?" } }));
    expect(error.code).toBe("auto_approve_refused");
    expect(error.message).toContain("a question needs a person's answer");
  });

  it("[TIMEOUT-ACTION-1, ASK-TYPE-1] aside, a question times out as a rejection or is canceled", () => {
    const ids = [timed("auto_reject", { ask: { type: "confirm" } }), timed("cancel", { ask: { type: "confirm" } })];
    world.advance(60_000);
    expect(ids.map((id) => engine.getTicket(id).state)).toEqual(["EXPIRED", "CANCELED"]);
  });
});
