// The SQLite store runs the contract, and keeps the promises that are its own: settings, tables, migrations.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { MIGRATIONS, SCHEMA_VERSION } from "../src/store/sqlite/migrations.ts";
import { SqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { storeContract } from "./store.contract.ts";

const folder = mkdtempSync(join(tmpdir(), "hap-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let place = 0;

storeContract("SQLite", {
  open: () => new SqliteStore({ path: join(folder, String(place), "hap.db") }),
  reset: () => {
    place++;
  },
});

describe("the SQLite file", () => {
  const path = join(folder, "file", "hap.db");
  const columns = (table: string) => {
    const database = new DatabaseSync(path);
    const names = database.prepare(`SELECT name FROM pragma_table_xinfo('${table}')`).all();
    database.close();
    return names.map(({ name }) => name);
  };

  it("[STORE-TABLES-1] has the draft's four tables with all of their columns", () => {
    new SqliteStore({ path }).close();
    expect(columns("tickets")).toEqual(
      expect.arrayContaining([
        "id",
        "from",
        "to",
        "intent",
        "artifact",
        "lease",
        "risk",
        "priority",
        "state",
        "created_at",
        "updated_at",
      ]),
    );
    expect(columns("events")).toEqual(expect.arrayContaining(["id", "type", "ts", "payload", "prev_hash", "hash", "created_at"]));
    expect(columns("used_nonces")).toEqual(expect.arrayContaining(["nonce", "ticket_id", "used_at"]));
    expect(columns("config")).toEqual(expect.arrayContaining(["key", "value"]));
  });

  it("[STORE-PRAGMA-1] is in WAL mode on disk, and stays so when it is opened again", () => {
    const database = new DatabaseSync(path);
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    database.close();
    const store = new SqliteStore({ path });
    store.close();
  });

  it("[STORE-PRAGMA-1] is refused when SQLite does not take a setting", () => {
    // SQLite takes this name for a database in memory, which cannot have a write-ahead log.
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(() => new SqliteStore({ path: ":memory:" })).toThrow(/journal_mode=wal/);
    } finally {
      process.chdir(before);
    }
  });

  it("[VERSION-MIGRATE-1] is migrated step by step from any older version, once", () => {
    for (let from = 0; from <= SCHEMA_VERSION; from++) {
      const old = join(folder, `from-${from}.db`);
      const database = new DatabaseSync(old);
      for (const step of MIGRATIONS.slice(0, from)) database.exec(step);
      database.exec(`PRAGMA user_version=${from}`);
      database.close();
      const store = new SqliteStore({ path: old });
      store.write((tx) => tx.setConfig("works", "yes"));
      store.close();
      const again = new SqliteStore({ path: old });
      expect(again.config("works")).toBe("yes");
      again.close();
    }
  });

  it("[STORE-GROWTH-1] answers every query of a command or a list by an index", () => {
    const database = new DatabaseSync(path);
    const open = "open=1";
    const ended = "open=0";
    const queries = [
      "SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1",
      "SELECT * FROM events WHERE seq>1 ORDER BY seq LIMIT 5",
      "SELECT * FROM tickets WHERE id='tk_1'",
      `SELECT * FROM tickets WHERE ${open} AND "to"='x' ORDER BY seq DESC LIMIT 5`,
      `SELECT * FROM tickets WHERE ${ended} AND "to"='x' ORDER BY seq DESC LIMIT 5`,
      `SELECT * FROM tickets WHERE ${ended} AND "from"='x' ORDER BY seq DESC LIMIT 5`,
      `SELECT * FROM tickets WHERE ${ended} AND kind='x' ORDER BY seq DESC LIMIT 5`,
      `SELECT * FROM tickets WHERE ${ended} AND project='x' ORDER BY seq DESC LIMIT 5`,
      "SELECT * FROM tickets WHERE next_deadline<=1 ORDER BY next_deadline LIMIT 5",
      "SELECT * FROM contents WHERE ticket_seq=1 AND digest=x''",
      "SELECT * FROM used_nonces WHERE nonce='x'",
    ];
    for (const query of queries) {
      const plan = database
        .prepare(`EXPLAIN QUERY PLAN ${query}`)
        .all()
        .map(({ detail }) => String(detail));
      // A scan that stops at its limit, in the order of the key, is a look-up too.
      expect(
        plan.filter((line) => /^SCAN (?!events$)/.test(line) && !line.includes("USING")),
        query,
      ).toEqual([]);
    }
    database.close();
  });
});
