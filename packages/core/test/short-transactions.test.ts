// No write transaction holds the lock for long: much work is cut into many short ones (D31).
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testStore, testWorld } from "./test-world.ts";

describe("a write transaction", () => {
  let store: ReturnType<typeof testStore>;

  beforeEach(() => {
    store = testStore();
  });

  afterEach(() => store.remove());

  it("[STORE-SHORT-1] applies a bounded number of due leases, and leaves the rest to the next", () => {
    const world = testWorld();
    const engine = store.open({ world });
    for (let made = 0; made < 180; made++) engine.createTicket({ to: "human:alex", ttl_seconds: 10 });
    world.advance(20_000);
    const before = engine.verifyEventLog({ chainOnly: true }).events;
    engine.createTicket({ to: "human:alex", summary: "one command" });
    const after = engine.verifyEventLog({ chainOnly: true }).events;
    // Its own event, and a bounded number of timeouts with their resolutions.
    expect(after - before).toBe(1 + 2 * 50);
    engine.applyDueLeases();
    expect(engine.list({ state: "EXPIRED", limit: 1000 }).tickets).toHaveLength(180);
  });

  it("[STORE-SHORT-1] takes only as many queued commands as fit into its time, and loses none", async () => {
    const engine = store.open();
    const first = engine.createTicket({ to: "human:alex" });
    const slow = () => {
      const until = performance.now() + 15;
      while (performance.now() < until);
      return engine.createTicket({ to: "human:alex" }).id;
    };
    let opened = 0;
    const watcher = new DatabaseSync(store.path);
    const version = () => watcher.prepare("PRAGMA data_version").get()?.data_version;
    const seen = new Set([version()]);
    const queued = Array.from({ length: 6 }, () =>
      engine.later(slow).then((id) => {
        opened++;
        seen.add(version());
        return id;
      }),
    );
    const ids = await Promise.all(queued);
    expect(opened).toBe(6);
    expect(new Set([...ids, first.id]).size).toBe(7);
    expect(seen.size).toBeGreaterThan(2);
    watcher.close();
  });
});
