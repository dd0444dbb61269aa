// Whoever follows the log inside a process is told of every event, its own and others', each once and in order.
import type { HapEvent } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { testStore } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let here: HapEngine;
let there: HapEngine;
let heard: HapEvent[];
let stop: () => void;

beforeEach(() => {
  store = testStore();
  here = store.open();
  there = store.open();
  here.createTicket({ to: "human:alex" });
  heard = [];
  stop = here.watchEvents((events) => void heard.push(...events));
});
afterEach(() => store.remove());

/** Until everything that the log holds was heard. */
async function caughtUp(): Promise<void> {
  while ((heard.at(-1)?.seq ?? 0) < there.head().seq) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("whoever watches events", () => {
  it("[EVENT-WATCH-1] hears those of this process and of others, each once, in the order of the log, as they are in it", async () => {
    const { seq } = here.head();
    const waiting: Promise<unknown>[] = [];
    for (let round = 0; round < 30; round++) {
      const [first, second] = round % 3 === 0 ? [there, here] : [here, there];
      const { id } = first.createTicket({ to: "human:alex" });
      // Somebody who writes when they are woken, in the middle of the others' turn.
      waiting.push(here.waitFor(id).then(() => here.note(id, "seen", "agent:local")));
      second.approve(id, `round ${round}`, { by: "human:alex" });
    }
    await Promise.all(waiting);
    await caughtUp();
    const written = there.getEvents({ limit: 10_000 }).slice(seq);
    expect(heard.map((event) => event.seq)).toEqual(written.map((event) => event.seq));
    expect(JSON.parse(JSON.stringify(heard))).toEqual(written.map(({ payload }) => payload));
  });

  it("[EVENT-WATCH-1] hears nothing of what was undone", async () => {
    const { seq } = here.head();
    await Promise.allSettled([
      here.later(() => here.createTicket({ to: "human:alex", summary: "kept" })),
      here.later(() => {
        here.createTicket({ to: "human:alex", summary: "undone" });
        throw new Error("no");
      }),
      here.later(() => here.approve("tk_nobody_has_this_one")),
    ]);
    const written = here.getEvents({ limit: 100 }).slice(seq);
    expect(heard.map((event) => event.seq)).toEqual(written.map((event) => event.seq));
  });

  it("[EVENT-WATCH-1] hears no more once it has stopped, or its engine is disposed", () => {
    stop();
    here.createTicket({ to: "human:alex" });
    expect(heard).toEqual([]);
    const later: HapEvent[] = [];
    here.watchEvents((events) => void later.push(...events));
    here.dispose();
    there.createTicket({ to: "human:alex" });
    expect(later).toEqual([]);
    expect(() => here.watchEvents(() => {})).toThrow(/disposed/);
  });
});
