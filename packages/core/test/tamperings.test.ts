// Fifty and more changes of a store, none of which verification misses (D21, D35); each makes the store read-only.
import { closeSync, copyFileSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { raw } from "./raw-store.ts";
import { refusal } from "./refusal.ts";
import { doTampering, makeRichHistory, TAMPERINGS } from "./tamperings.ts";
import { testStore, testWorld } from "./test-world.ts";

const store = testStore();
const world = testWorld();
beforeAll(() => makeRichHistory(store.open({ world })));
afterAll(() => store.remove());

let count = 0;
const copy = () => {
  const path = join(store.folder, `copy-${count++}.db`);
  copyFileSync(store.path, path);
  return path;
};

describe("a store", () => {
  it("[VERIFY-TAMPER-1] that nobody touched verifies", () => {
    expect(store.open({ world, dbPath: copy() }).verifyEventLog()).toMatchObject({ ok: true });
    expect(TAMPERINGS.length).toBeGreaterThanOrEqual(50);
    expect(new Set(TAMPERINGS.map(([name]) => name)).size).toBe(TAMPERINGS.length);
  });

  it.each(TAMPERINGS)("[VERIFY-TAMPER-1] with %s is named, and becomes read-only", (...tampering) => {
    const path = copy();
    raw(path, (database) => doTampering(database, tampering));
    const engine = store.open({ world, dbPath: path });
    const report = engine.verifyEventLog();
    expect(report.ok).toBe(false);
    if (!report.ok) expect(report.violation.message).toMatch(tampering[2]);
    expect(refusal(() => engine.createTicket({ to: "human:alex" })).code).toBe("integrity_violation");
    engine.dispose();
    expect(refusal(() => store.open({ world, dbPath: path }).createTicket({ to: "human:alex" })).code).toBe(
      "integrity_violation",
    );
  });

  it("[VERIFY-DAMAGE-1] with a damaged page is named, and becomes read-only like any other", () => {
    const path = copy();
    const page = raw(path, (database) => {
      const { root } = database.prepare("SELECT rootpage AS root FROM sqlite_schema WHERE name='messages'").get() as {
        root: number;
      };
      const { page_size: size } = database.prepare("PRAGMA page_size").get() as { page_size: number };
      return { offset: (root - 1) * size, size };
    });
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(page.size, 0xff), 0, page.size, page.offset);
    closeSync(file);
    const engine = store.open({ world, dbPath: path });
    const report = engine.verifyEventLog();
    expect(report).toMatchObject({ ok: false, violation: { message: expect.stringContaining("the database is damaged") } });
    expect(refusal(() => engine.createTicket({ to: "human:alex" })).code).toBe("integrity_violation");
  });

  it("[VERIFY-TAMPER-1] that is shorter than when it was verified, and whole otherwise, is named", () => {
    const path = copy();
    const engine = store.open({ world, dbPath: path });
    engine.verifyEventLog();
    engine.dispose();
    raw(path, (database) => {
      const made = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type='trigger'").all();
      for (const { name } of made) database.exec(`DROP TRIGGER ${name}`);
      database.exec("DELETE FROM events WHERE seq=(SELECT max(seq) FROM events)");
      for (const { sql } of made) database.exec(sql as string);
    });
    const report = store.open({ world, dbPath: path }).verifyEventLog({ chainOnly: true });
    expect(report).toMatchObject({ ok: false, violation: { message: expect.stringMatching(/the log had \d+ events when/) } });
  });
});
