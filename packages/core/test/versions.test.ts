// Versions (D22): a newer store is refused and left alone, an outdated process stops, and rows are rebuilt from the log.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_VERSION, FOLD_VERSION, LOG_FORMAT } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { rebuildRows } from "../src/log/rebuild.ts";
import { upcast } from "../src/log/upcast.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "../src/store/sqlite/migrations.ts";
import { SqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { forge } from "./forge.ts";
import { makeHistory } from "./history.ts";
import { putOlderStore } from "./older-store.ts";
import { raw, rows, tamper } from "./raw-store.ts";
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

const sql = (text: string) => raw(store.path, (database) => database.exec(text));
const fingerprint = () => {
  sql("PRAGMA wal_checkpoint(TRUNCATE)");
  return createHash("sha256").update(readFileSync(store.path)).digest("hex");
};

describe("a store of a newer HAP", () => {
  it("[FAULT-NEWER-1] is refused by its schema, with its path, and is not changed", () => {
    makeHistory(engine);
    sql(`PRAGMA user_version=${SCHEMA_VERSION + 1}`);
    const before = fingerprint();
    const error = refusal(() => store.open({ world }));
    expect(error).toMatchObject({ code: "store_newer", kind: "integrity" });
    expect(error.message).toContain(store.path);
    expect(error.message).toContain("Update HAP");
    expect(fingerprint()).toBe(before);
  });

  it("[FAULT-NEWER-1] is refused by the format of its log", () => {
    makeHistory(engine);
    forge(store.path, (log) => Object.assign(log.first("log.genesis"), { format: LOG_FORMAT + 1 }));
    const before = fingerprint();
    expect(refusal(() => store.open({ world }))).toMatchObject({
      code: "store_newer",
      message: expect.stringContaining("format 2"),
    });
    expect(fingerprint()).toBe(before);
  });

  it("[FAULT-NEWER-1, VERSION-FOLD-1] is refused by rows that a newer one made, and not folded back", () => {
    makeHistory(engine);
    sql(`UPDATE config SET value='${FOLD_VERSION + 1}' WHERE key='fold_version'`);
    const before = fingerprint();
    expect(refusal(() => store.open({ world })).code).toBe("store_newer");
    expect(fingerprint()).toBe(before);
  });

  it("[FAULT-NEWER-1, VERSION-EVENT-1] with an event of a newer version cannot be verified, which is no violation", () => {
    const { rejected } = makeHistory(engine);
    forge(store.path, (log) => log.event("ticket.heard", rejected, { by: "agent:local", v: EVENT_VERSION }));
    forge(store.path, (log) => Object.assign(log.payloads.at(-1) as object, { v: EVENT_VERSION }));
    engine = store.open({ world });
    expect(engine.verifyEventLog().ok).toBe(true);
    engine.dispose();
    expect(() => forge(store.path, (log) => Object.assign(log.payloads.at(-1) as object, { v: EVENT_VERSION + 1 }))).toThrow(
      /has version 2/,
    );
    engine = store.open({ world });
    expect(refusal(() => engine.verifyEventLog()).code).toBe("store_newer");
    expect(engine.violation()).toBeNull();
  });
});

describe("a database of another program", () => {
  it.each([0, SCHEMA_VERSION, 99])("[FAULT-CORRUPT-1] with user_version %d is refused, and is not changed", (version) => {
    const path = join(store.folder, `other-${version}.db`);
    raw(path, (database) =>
      database.exec(`CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine'); PRAGMA user_version=${version}`),
    );
    const before = readFileSync(path);
    const error = refusal(() => store.open({ world, dbPath: path }));
    expect(error).toMatchObject({ code: "store_corrupt", fields: { path } });
    expect(error.message).toContain("a database of another program");
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe("a process that is outdated", () => {
  it("[VERSION-UPGRADE-1] stops at its next write, with upgrade_needed", () => {
    const { id } = engine.createTicket({ to: "human:alex" });
    sql(`PRAGMA user_version=${SCHEMA_VERSION + 1}`);
    for (const act of [() => engine.approve(id), () => engine.createTicket({ to: "human:alex" })]) {
      const error = refusal(act);
      expect(error).toMatchObject({ code: "upgrade_needed", kind: "integrity" });
      expect(error.message).toContain("Restart it with the new HAP");
    }
    sql(`PRAGMA user_version=${SCHEMA_VERSION}`);
    expect(engine.getTicket(id).state).toBe("PENDING");
  });
});

describe("rows", () => {
  it("[VERSION-FOLD-1, VERIFY-ROWS-1, EVENT-ATOMIC-1] are what the log makes of them: rebuilt, they are the same", () => {
    makeHistory(engine);
    const before = { tickets: rows(store.path, "tickets"), quotas: rows(store.path, "quotas") };
    const database = new SqliteStore({ path: store.path });
    rebuildRows(database);
    database.close();
    // Rows made again from the log have its order of keys, which no one relies on.
    const json = new Set(["record", "intent", "artifact", "lease"]);
    const parsed = (list: typeof before.tickets) =>
      list.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, text]) => [name, json.has(name) ? JSON.parse(text as string) : text])),
      );
    expect(parsed(rows(store.path, "tickets"))).toEqual(parsed(before.tickets));
    expect(rows(store.path, "quotas")).toEqual(before.quotas);
  });

  it("[VERSION-FOLD-1] of an older fold are rebuilt when the store is opened", () => {
    const { pending } = makeHistory(engine);
    sql(`UPDATE config SET value='0' WHERE key='fold_version'; UPDATE tickets SET state='CANCELED' WHERE id='${pending}'`);
    engine = store.open({ world });
    expect(engine.listAll({ state: "CANCELED" })).toEqual([]);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    expect(rows(store.path, "config")).toContainEqual({ key: "fold_version", value: String(FOLD_VERSION) });
  });

  it("[VERSION-FOLD-1, VERIFY-READONLY-1] of a log that does not verify are left as evidence", () => {
    const { pending } = makeHistory(engine);
    sql(`UPDATE config SET value='0' WHERE key='fold_version'; UPDATE tickets SET state='CANCELED' WHERE id='${pending}'`);
    tamper(store.path, (database) =>
      database.exec(
        "UPDATE events SET payload=replace(payload, 'agent:local', 'agent:other') WHERE seq=(SELECT max(seq) FROM events)",
      ),
    );
    engine = store.open({ world });
    expect(engine.violation()).not.toBeNull();
    expect(rows(store.path, "tickets").find(({ id }) => id === pending)?.state).toBe("CANCELED");
  });
});

describe("migrations", () => {
  it("[VERSION-MIGRATE-1] run once each: the file carries their number, and opening it again changes nothing", () => {
    makeHistory(engine);
    expect(MIGRATIONS).toHaveLength(SCHEMA_VERSION);
    expect(raw(store.path, (database) => database.prepare("PRAGMA user_version").get())).toEqual({
      user_version: SCHEMA_VERSION,
    });
    const before = fingerprint();
    store.open({ world }).dispose();
    expect(fingerprint()).toBe(before);
  });

  it("[VERSION-MIGRATE-1] carry the tickets of an older file over as they were", () => {
    engine.dispose();
    putOlderStore(store.path);
    // The file as schema 7 had it: the whole ticket in its record, and columns that are read out of it.
    const [tables, indexes] = [/CREATE TABLE tickets \([^;]*;/, /CREATE INDEX idx_(?:tickets|ended)[^;]*;/g].map((part) =>
      (MIGRATIONS[0] as string).match(part)?.join("\n"),
    );
    const shared = `id, code, "from", "to", state, rank, kind, tier, project, session, created_at, delivered_at, snoozed_until, next_deadline`;
    sql(`ALTER TABLE tickets RENAME TO newer; ${tables}
      INSERT INTO tickets (seq, record, ${shared}) SELECT seq, json_set(record, '$.ticket.intent', json(intent),
        '$.ticket.artifact', json(artifact), '$.ticket.lease', json(lease)), ${shared} FROM newer;
      DROP TABLE newer; ${indexes}
      CREATE INDEX idx_conversations ON tickets("from", seq) WHERE kind IN ('cue', 'pause', 'question');
      PRAGMA user_version=7`);
    const before = rows(store.path, "tickets");
    engine = store.open({ world });
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    const after = rows(store.path, "tickets");
    for (const column of ["seq", "id", "state", "intent", "artifact", "lease", "to", "next_deadline"])
      expect(after.map((row) => row[column])).toEqual(before.map((row) => row[column]));
    const pending = before.find(({ state }) => state === "PENDING")?.id as string;
    expect(engine.approve(pending, "go on").state).toBe("APPROVED");
    expect(rows(store.path, "tickets").map(({ open }) => open)).toEqual(
      before.map(({ id, state }) => (id === pending ? 0 : Number(["PENDING", "DELIVERED", "ACKED"].includes(state as string)))),
    );
  });

  it("[STORE-TABLES-1] make the draft's four tables, with all of their columns", () => {
    engine.approve(engine.createTicket({ to: "human:alex" }).id);
    const draft = {
      tickets: ["id", "from", "to", "intent", "artifact", "lease", "risk", "priority", "state", "created_at", "updated_at"],
      events: ["id", "type", "ts", "payload", "prev_hash", "hash", "created_at"],
      used_nonces: ["nonce", "ticket_id", "used_at"],
      config: ["key", "value"],
    };
    for (const [table, columns] of Object.entries(draft)) {
      const [row] = raw(store.path, (database) =>
        database.prepare(`SELECT ${columns.map((name) => `"${name}"`).join(", ")} FROM ${table}`).all(),
      );
      expect(
        Object.values(row ?? {}).every((value) => value !== null && value !== ""),
        table,
      ).toBe(true);
    }
  });
});

describe("an event of an older version", () => {
  it("[VERSION-EVENT-1] is read through its upcasters, and one of this version as it is", () => {
    const event = { type: "ticket.heard", v: EVENT_VERSION, by: "agent:local" };
    expect(upcast(event)).toBe(event);
    expect(refusal(() => upcast({ ...event, v: EVENT_VERSION + 1 })).message).toContain("Update HAP");
  });

  it("[VERSION-EVENT-1] of version 1 says in version 2 that one person decides, and why a lease escalated", () => {
    expect(upcast({ type: "intent.sign", v: 1, authority: "owner" })).toMatchObject({ seat: null, on_behalf_of: null, v: 1 });
    expect(upcast({ type: "ticket.escalate", v: 1, depth: 1 })).toMatchObject({ why: "lease_ended", depth: 1 });
    const created = { type: "ticket.create", v: 1, ticket: { id: "tk_1" } };
    expect(upcast(created)).toEqual(created);
    const vote = { type: "intent.sign", v: 2, seat: "group:a", on_behalf_of: null };
    expect(upcast(vote)).toBe(vote);
    expect(refusal(() => upcast({ ...vote, v: 3 })).message).toContain("this HAP knows 2");
  });
});
