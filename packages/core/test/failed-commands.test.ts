// A batch runs without savepoints at first. A command that fails after it has written makes the whole batch run again, with them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { HapEngine } from "../src/index.ts";
import { SqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import type { StoreWriter } from "../src/store/store.ts";

let folder = "";
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(): { engine: HapEngine; store: SqliteStore } {
  folder = mkdtempSync(join(tmpdir(), "hap-failed-"));
  const store = new SqliteStore({ path: join(folder, "hap.db") });
  const bell = { ring: () => {}, listen: () => () => {}, close: () => {} };
  return { engine: new HapEngine({ store: { store, bell }, home: folder, humanId: "human:alex" }), store };
}

test("[EVENT-ATOMIC-1] a command that fails after it has written is undone alone, and the others of its batch stand", async () => {
  const { engine } = open();
  const made = (summary: string) => engine.createTicket({ to: "human:alex", kind: "deploy", summary }).id;
  const [first, second] = [made("first"), made("second")];
  let runs = 0;
  const settled = await Promise.allSettled([
    engine.later(() => {
      runs++;
      return engine.approve(first);
    }),
    engine.later(() => {
      engine.note(first, "written, and then undone", "human:alex");
      // Tries the decision, and undoes the trial.
      return engine.holdDecision(second, { decision: "approve", by: "human:alex", assurance: "local", seconds: 5 });
    }),
    engine.later(() => engine.createTicket({ to: "human:alex", kind: "deploy", summary: "third" })),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  expect(runs).toBe(2);
  expect(engine.getTicket(first).state).toBe("APPROVED");
  expect(engine.getTicket(second).state).not.toBe("APPROVED");
  expect(engine.listAll()).toHaveLength(3);
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  engine.dispose();
});

test("[EVENT-ATOMIC-1] an error that is caught does not keep what its part has written", () => {
  const { engine, store } = open();
  const settings = (rows: StoreWriter) => {
    rows.setConfig("kept", "1");
    expect(() =>
      rows.attempt(() => {
        rows.setConfig("undone", "1");
        throw new Error("after a write");
      }),
    ).toThrow("after a write");
    return rows.config("undone");
  };
  expect(store.write(settings)).toBeUndefined();
  expect([store.config("kept"), store.config("undone")]).toEqual(["1", undefined]);
  engine.dispose();
});
