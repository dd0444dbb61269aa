// What protects a person's attention (D43): the pace of agents, and the numbers that show it.
import { afterEach, expect, test } from "vitest";
import { savePolicy } from "./confirm-policy.ts";
import { CALL, command, INSTALLS, makeGrant } from "./grant.ts";
import { refusal } from "./refusal.ts";
import { testStore, testWorld } from "./test-world.ts";

let store = testStore();
afterEach(() => {
  store.remove();
  store = testStore();
});

test("[MEMBRANE-PACE-1] an agent that asks too often is told to wait, and how long", () => {
  const clock = testWorld();
  const engine = store.open({ world: clock, humanId: "human:alex" });
  savePolicy(engine, { text: JSON.stringify({ version: 1, asks_per_minute: 2 }), replaces: null });
  const ask = (more = {}) => engine.createTicket(command("make a", more));
  const first = ask({ id: "tk_00000000000000000001" });
  clock.advance(20_000);
  ask();
  expect(refusal(() => ask())).toMatchObject({ code: "rate_limited", fields: { limit: 2, retry_after_seconds: 40 } });
  // The same ticket again, a question, and another agent are not held up.
  expect(ask({ id: first.id }).id).toBe(first.id);
  ask({ ask: { type: "confirm", prompt: "May I?" } });
  ask({ from: "agent:other" });
  clock.advance(40_001);
  ask();
});

test("[INSIGHT-AUTHORITY-1] what was asked, decided in haste, expired, and decided without a person", () => {
  const clock = testWorld();
  const engine = store.open({ world: clock, humanId: "human:alex" });
  const since = clock.now();
  makeGrant(engine, { ...INSTALLS, seconds: null });
  makeGrant(engine, { verdict: "deny", commands: ["git push *"], seconds: null });
  engine.useGrant(command("npm install x"), CALL);
  engine.decideByPolicy(command("git push"), CALL);
  const hasty = engine.createTicket(command("make a")).id;
  engine.deliver(hasty);
  engine.approve(hasty);
  const read = engine.createTicket(command("make b")).id;
  engine.deliver(read);
  clock.advance(60_000);
  engine.approve(read);
  const late = engine.createTicket(command("make c", { ttl_seconds: 60 })).id;
  engine.deliver(late);
  clock.advance(8 * 86_400_000);
  expect(engine.insights(since)).toMatchObject({
    asks: [{ agent: "agent:ci", tickets: 3, busiest_hour: 3 }],
    hasty: 1,
    expired: 1,
    standing: { grants: 1, denials: 1, rules: 0, grants_in_force: 2, grants_unused: 2 },
  });
});
