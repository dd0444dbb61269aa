// Every column of every table: a changed value is named by verification, or the column is listed here with the reason why it is not.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CALL, command, INSTALLS, makeGrant } from "./grant.ts";
import { raw } from "./raw-store.ts";
import { makeRichHistory } from "./tamperings.ts";
import { testStore, testWorld } from "./test-world.ts";

const store = testStore();
const world = testWorld();
beforeAll(() => {
  const engine = store.open({ world, humanId: "human:alex" });
  makeGrant(engine, { ...INSTALLS, seconds: 60, uses: 3 });
  engine.useGrant(command("npm install a"), CALL);
  makeRichHistory(engine);
});
afterAll(() => store.remove());

const MINUTES = "it waits for minutes and is no record of anything";
/** Tables and columns that are not in the log (SECURITY.md). */
const UNCHECKED: Record<string, string> = {
  one_time_codes: MINUTES,
  phrases: MINUTES,
  challenges: MINUTES,
  statements: MINUTES,
  deliveries: MINUTES,
  push_subscriptions: "browsers to call; they decide nothing",
  push_reminders: MINUTES,
  listeners: MINUTES,
  refusals: "how often somebody was refused in the last minute",
  backups: "paths of copies",
  "used_nonces.used_at": "nothing reads it",
  "webhooks.secret": "a secret is not in the log",
  "api_keys.last_used_at": "a use is no event",
  "credentials.last_used_at": "a use is no event",
  "credentials.sign_count": "sign-ins count too, and are no votes; below the log's count it is named",
  "config.requests_forgotten_at": "when old requests were last forgotten",
  "config.fold_version": "which fold made the rows; another one has them made again",
  "config.verified_at": "when the log was last verified",
};

type Column = { table: string; column: string; key: string | null; where: string };

/** One row of each table and column, and each setting. */
function columnsOf(database: DatabaseSync): Column[] {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%'").all();
  return tables.flatMap(({ name }): Column[] => {
    const table = String(name);
    if (table === "config")
      return database
        .prepare("SELECT key FROM config ORDER BY key")
        .all()
        .map(({ key }) => ({ table, column: "value", key: String(key), where: `key='${key}'` }));
    const infos = database.prepare(`PRAGMA table_info(${table})`).all() as { name: string; pk: number }[];
    const keys = infos.filter(({ pk }) => pk > 0).map((info) => `"${info.name}"`);
    return infos.map(({ name: column }) => {
      const where = `(${keys})=(SELECT ${keys} FROM ${table} WHERE "${column}" IS NOT NULL ORDER BY ${keys} LIMIT 1)`;
      return { table, column, key: null, where };
    });
  });
}

const nameOf = ({ table, column, key }: Column) => (key === null ? `${table}.${column}` : `${table}.${key}`);

/** Change a value; false where there is none, or the database itself refuses. */
function change(path: string, { table, column, where }: Column): boolean {
  return raw(path, (database) => {
    const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type='trigger'").all();
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
    const changed = ["|| 'x'", "+ 1"].some((how) => {
      try {
        return Number(database.prepare(`UPDATE ${table} SET "${column}"="${column}" ${how} WHERE ${where}`).run().changes) > 0;
      } catch {
        return false;
      }
    });
    for (const { sql } of triggers) database.exec(String(sql));
    return changed;
  });
}

it("[VERIFY-TAMPER-2] a changed value in any column is named, but for those that are listed", () => {
  const columns = raw(store.path, columnsOf);
  const seen = new Set<string>();
  const missed: string[] = [];
  const path = join(store.folder, "copy.db");
  for (const column of columns) {
    const name = nameOf(column);
    if (Object.hasOwn(UNCHECKED, name) || Object.hasOwn(UNCHECKED, column.table)) continue;
    copyFileSync(store.path, path);
    if (!change(path, column)) continue;
    seen.add(column.table);
    const engine = store.open({ world, dbPath: path });
    if (engine.verifyEventLog().ok) missed.push(name);
    engine.dispose();
  }
  expect(missed).toEqual([]);
  const checked = new Set(columns.map(({ table }) => table).filter((table) => !Object.hasOwn(UNCHECKED, table)));
  expect([...checked].filter((table) => !seen.has(table))).toEqual([]);
});
