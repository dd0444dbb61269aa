// The engine against its model: random commands, steps of time and restarts, on two engines that share one store.
// A failure prints its seed and the shortest commands that show it.

import { isHapError } from "@hap/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { rebuildRows } from "../src/log/rebuild.ts";
import { SqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { someHash } from "./forge.ts";
import { type Command, Model, nextPerson, simple } from "./model.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";
import { typedYes } from "./typed-yes.ts";

// Few tickets and few moments, so that commands meet: most of a run happens to the first ones, at halves and ends of leases.
const ticket = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0, 1) }, { weight: 2, arbitrary: fc.nat(6) });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      ttl: fc.constantFrom(1, 7, 60, 60, 604_800),
      onTimeout: fc.constantFrom("auto_reject", "auto_approve", "auto_approve", "cancel"),
      kind: fc.constantFrom("plain", "plain", "plain", "critical", "question"),
      chain: fc.constantFrom(0, 0, 1, 2),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom(...simple), ticket }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("deliver", "renew", "reassign"), ticket }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("ack" as const),
      ticket,
      lapse: fc.constantFrom(null, 1, 20, 60),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("extend", "snooze"),
      ticket,
      seconds: fc.constantFrom(1, 20, 60, 400_000),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("time" as const),
      ms: fc.constantFrom(1, 999, 1000, 2500, 3500, 20_000, 30_000, 60_000, 60_001, 120_001, 302_400_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "restart" } as const) },
);

/** The same command for the engine; returns the code of its error, or null. */
function run(engine: HapEngine, given: Command, ids: string[]): string | null {
  try {
    perform(engine, given, ids);
    return null;
  } catch (error) {
    if (isHapError(error)) return error.code;
    throw error;
  }
}

function perform(engine: HapEngine, given: Command, ids: string[]): unknown {
  if (given.do === "time" || given.do === "restart") return;
  if (given.do === "create") {
    const { ttl, onTimeout, kind, chain } = given;
    const lease = {
      ttl_seconds: ttl,
      on_timeout: onTimeout,
      ...(chain === 0 ? {} : { escalate: { to: ["human:sam", "human:kim"].slice(0, chain) } }),
    };
    const what = {
      plain: { file: "src/a.ts" },
      critical: { kind: "run_command", details: { command: "sudo reboot" } },
      question: { ask: { type: "confirm" } },
    }[kind];
    return ids.push(engine.createTicket({ to: "human:alex", lease, ...what }).id);
  }
  const id = ids[given.ticket % ids.length] ?? "tk_nothingwasmadeyet";
  switch (given.do) {
    case "ack":
      return engine.ack(id, undefined, given.lapse === null ? {} : { lapseSeconds: given.lapse });
    case "extend":
      return engine.extend(id, given.seconds);
    case "snooze":
      return engine.snooze(id, given.seconds);
    case "deliver":
      return engine.deliver(id);
    case "approve":
      return engine.approve(id);
    case "confirm":
      return engine.approve(id, undefined, typedYes(engine, id));
    case "reject":
      return engine.reject(id);
    case "changes":
      return engine.requestChanges(id);
    case "answer":
      return engine.answer(id, true);
    case "cancel":
      return engine.cancel(id);
    case "reassign":
      return engine.reassign(id, nextPerson(engine.listAll().find((one) => one.id === id)?.to ?? "human:alex"));
    case "renew":
      return engine.renew(id, "agent:local");
    case "consume":
      return engine.consume(id, { by: "agent:local", call_hash: someHash("a") });
    case "heard":
      return engine.heard(id, "agent:local");
  }
}

/** What both sides must agree on about one ticket. */
function compare(engine: HapEngine, model: Model, ids: string[], world: TestWorld): void {
  const now = world.now();
  const actual = ids.map((id) => {
    const { state, to, resolution, consumed, lease } = engine.getTicket(id);
    return { state, to, by: resolution?.actor.kind ?? null, used: consumed !== null, left: lease.remaining_seconds };
  });
  const expected = model.tickets.map((one) => {
    const { state, to, by, used, left, deadline } = one;
    return { state, to, by, used, left: by === null ? Math.ceil((left ?? (deadline as number) - now) / 1000) : 0 };
  });
  expect(actual).toEqual(expected);
}

describe("the engine", () => {
  it("[ENGINE-MODEL-1, VERIFY-ROWS-1, LEASE-PAUSE-1] agrees with a small model of it after any commands, times and restarts", () => {
    const property = fc.property(
      fc.array(command, { minLength: 20, maxLength: 70, size: "max" }),
      fc.nat(),
      (commands, choice) => {
        const store = testStore();
        try {
          const world = testWorld();
          const model = new Model();
          const engines = [store.open({ world }), store.open({ world })];
          const ids: string[] = [];
          for (const [index, given] of commands.entries()) {
            const at = (index * 7 + choice) % 2;
            if (given.do === "time") world.advance(given.ms);
            if (given.do === "restart") {
              engines[at]?.dispose();
              engines[at] = store.open({ world });
            }
            const engine = engines[at] as HapEngine;
            expect(run(engine, given, ids), `${index}: ${JSON.stringify(given)}`).toBe(model.apply(given, world.now()));
          }
          model.settle(world.now());
          engines[0]?.applyDueLeases();
          for (const engine of engines) compare(engine, model, ids, world);
          expect(engines[0]?.verifyEventLog()).toMatchObject({ ok: true });
          const database = new SqliteStore({ path: store.path });
          rebuildRows(database);
          database.close();
          compare(engines[1] as HapEngine, model, ids, world);
        } finally {
          store.remove();
        }
      },
    );
    fc.assert(property, { numRuns: 200 });
  });
});
