// Numbers of tickets: the whole list, not what happens to be loaded.
import { afterEach, beforeEach, expect, it } from "vitest";
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

it("[COUNT-REAL-1] counts what a list would show, in all and by a field, without what was snoozed", () => {
  const make = (to: string, more = {}) => engine.createTicket({ to, from: "agent:one", summary: "A", ...more });
  make("human:alex", { priority: "high" });
  make("human:alex", { project: "/src/app", from: "agent:two" });
  const { id } = make("human:alex");
  make("human:sam");
  engine.reject(make("human:alex").id, "No", { by: "human:alex" });
  const mine = { to: "human:alex", state: "open" as const };
  expect(engine.countTickets(mine)).toEqual({
    total: 3,
    groups: [
      { key: "high", count: 1 },
      { key: "normal", count: 2 },
    ],
  });
  expect(engine.countTickets(mine, "from").groups).toContainEqual({ key: "agent:two", count: 1 });
  expect(engine.countTickets(mine, "project").groups).toContainEqual({ key: "/src/app", count: 1 });
  engine.deliver(id);
  engine.snooze(id, 600, { by: "human:alex" });
  expect(engine.countTickets(mine, "priority", true).total).toBe(2);
  world.advance(601_000);
  expect(engine.countTickets(mine, "priority", true).total).toBe(3);
  expect(engine.countTickets({ state: "open" }).total).toBe(4);
  expect(engine.countTickets({ state: ["REJECTED"] }).total).toBe(1);
  expect(engine.countTickets({ to: "human:nobody" })).toEqual({ total: 0, groups: [] });
  expect(refusal(() => engine.countTickets({ text: "A" })).message).toBe(
    "Tickets are not counted by text or risk; leave both out.",
  );
});
