// The space is a parameter, and a store may take a while to open (D39).
import { afterEach, beforeEach, expect, it } from "vitest";
import { HapEngine } from "../src/index.ts";
import { openSqlite } from "../src/store/sqlite/open-sqlite.ts";
import { refusal } from "./refusal.ts";
import { testStore } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
beforeEach(() => {
  store = testStore();
});
afterEach(() => store.remove());

it("[ENGINE-SPACE-1] events, tickets, cursors and statements carry the space, and the log verifies", () => {
  const engine = store.open({ space: "team-a", humanId: "human:alex" });
  const { id, space } = engine.createTicket({ to: "human:alex", summary: "Ship it" });
  const { statement } = engine.issueChallenge(id, { decision: "approve", by: "human:alex" });
  engine.approve(id);
  expect([space, statement.space]).toEqual(["team-a", "team-a"]);
  const events = engine.getEvents();
  expect(new Set(events.map(({ payload }) => payload.space))).toEqual(new Set(["team-a"]));
  expect(engine.getEvents(events[1]?.cursor as string)).toHaveLength(events.length - 2);
  expect(engine.verifyEventLog()).toMatchObject({ ok: true, events: events.length });
  expect(engine.backup(`${store.folder}/copy.db`)).toMatchObject({ events: events.length });
});

it("[ENGINE-SPACE-1] a store of another space is refused and left as it is, and so is its cursor", () => {
  const engine = store.open({ space: "team-a" });
  engine.createTicket({ to: "human:alex", summary: "Ship it" });
  const cursor = engine.cursor() as string;
  const error = refusal(() => store.open());
  expect(error.code).toBe("invalid_input");
  expect(error.message).toContain('holds the space "team-a", not "default"');
  const other = new HapEngine({ dbPath: `${store.folder}/other.db`, home: store.folder });
  other.createTicket({ to: "human:alex", summary: "Ship it" });
  expect(refusal(() => other.getEvents(cursor)).code).toBe("cursor_forked");
  other.dispose();
});

it("[ENGINE-OPEN-1] HapEngine.open waits for its store; without one it opens the file", async () => {
  const slow = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return openSqlite({ path: store.path });
  };
  const first = await HapEngine.open({ store: slow, home: store.folder });
  const { id } = first.createTicket({ to: "human:alex", summary: "Ship it" });
  first.dispose();
  const second = await HapEngine.open({ dbPath: store.path, home: store.folder });
  expect(second.getTicket(id).state).toBe("PENDING");
  second.dispose();
});
