// A yes that can be undone for some seconds (D44): kept in the store, applied once, and never by a process that has lost the right.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

const ALEX = "human:alex";
let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world });
});
afterEach(() => store.remove());

const ticket = (more = {}) => {
  const { id } = engine.createTicket({ to: ALEX, summary: "Push the branch", ...more });
  engine.deliver(id);
  return id;
};
const decisions = (id: string) => engine.getEvents({ ticket: id }).filter(({ type }) => type.startsWith("intent."));
const hold = (id: string, seconds = 3) => engine.holdDecision(id, { decision: "approve", comment: "Fine", seconds, by: ALEX });

describe("a held yes", () => {
  it("[UNDO-HOLD-1] leaves the ticket open, is applied when its time has come, and is one decision in the log", () => {
    const id = ticket();
    const before = engine.getEvents({ ticket: id }).length;
    expect(hold(id)).toMatchObject({ ticket: { state: "DELIVERED" }, until: "2026-01-31T10:00:03.000Z" });
    expect(engine.getEvents({ ticket: id })).toHaveLength(before);
    world.advance(2_999);
    expect(engine.applyHeldDecisions()).toBe(world.now() + 1);
    expect(engine.getTicket(id).state).toBe("DELIVERED");
    world.advance(1);
    expect(engine.applyHeldDecisions()).toBeNull();
    expect(engine.getTicket(id)).toMatchObject({ state: "APPROVED", resolution: { comment: "Fine" } });
    expect(decisions(id)).toHaveLength(1);
  });

  it("[UNDO-HOLD-2] is taken back by its person alone, and leaves nothing in the log", () => {
    const id = ticket();
    hold(id);
    expect(refusal(() => engine.undoDecision(id, "human:sam"))).toMatchObject({ code: "nothing_to_undo" });
    expect(engine.undoDecision(id, ALEX).state).toBe("DELIVERED");
    world.advance(60_000);
    expect(engine.applyHeldDecisions()).toBeNull();
    expect(engine.getTicket(id).state).toBe("DELIVERED");
    expect(decisions(id)).toHaveLength(0);
    expect(refusal(() => engine.undoDecision(id, ALEX)).message).toMatch(/nothing to undo/i);
  });

  it("[UNDO-HOLD-3] survives the end of the process: the next one that opens the store applies it", () => {
    const id = ticket();
    hold(id);
    engine.dispose();
    world.advance(3_000);
    const next = store.open({ world });
    expect(next.getTicket(id)).toMatchObject({ state: "APPROVED", resolution: { comment: "Fine" } });
  });

  it("[UNDO-HOLD-4] is applied before the ticket would end by itself", () => {
    const id = ticket({ ttl_seconds: 5 });
    expect(hold(id, 10).until).toBe("2026-01-31T10:00:04.000Z");
    world.advance(4_000);
    engine.applyHeldDecisions();
    expect(engine.getTicket(id).state).toBe("APPROVED");
  });

  it("[UNDO-HOLD-5] is refused for a critical ticket, and at once where it would be refused later", () => {
    const critical = engine.createTicket({
      to: ALEX,
      summary: "Drop the table",
      kind: "run_command",
      details: { command: "psql -c 'DROP TABLE users'" },
      environment: "production",
    });
    engine.deliver(critical.id);
    expect(engine.getTicket(critical.id).tier).toBe("critical");
    expect(refusal(() => hold(critical.id)).message).toMatch(/critical ticket is confirmed by its own step/);
    const id = ticket();
    const stranger = { decision: "approve" as const, seconds: 3, by: "human:stranger" };
    expect(refusal(() => engine.holdDecision(id, stranger)).code).toBe("not_addressee");
    expect(refusal(() => hold(id, 31)).message).toBe("seconds must be a whole number from 1 to 30.");
  });

  it("[UNDO-HOLD-6] loses to whoever decides meanwhile", () => {
    const id = ticket();
    hold(id);
    engine.reject(id, "No", { by: ALEX });
    world.advance(3_000);
    expect(engine.applyHeldDecisions()).toBeNull();
    expect(engine.getTicket(id).state).toBe("REJECTED");
    expect(decisions(id)).toHaveLength(1);
  });
});
