// The description of the tables says what SQLite's schema says: a node's copy has exactly the rows that PostgreSQL has.
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { readChangeset } from "../../src/store/postgres/changeset.ts";
import { TABLES } from "../../src/store/postgres/tables.ts";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";

const TYPES: Record<string, string> = { TEXT: "text", INTEGER: "int", REAL: "real", BLOB: "bytes" };

it("[PG-STORE-1] describes every table and column of the embedded store", () => {
  const database = new DatabaseSync(":memory:");
  for (const migration of MIGRATIONS) database.exec(migration);
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite%'").all();
  const found = names.map(({ name }) => {
    const columns = database.prepare(`SELECT name, type, "notnull", pk FROM pragma_table_info('${name}')`).all();
    const keys = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
    return {
      name,
      key: keys.map((column) => column.name),
      columns: columns
        .map((column) => ({
          name: column.name,
          type: TYPES[column.type as string],
          nullable: column.notnull === 0 && column.pk === 0,
        }))
        .sort((a, b) => String(a.name).localeCompare(String(b.name))),
    };
  });
  const described = TABLES.map(({ name, key, columns }) => ({
    name,
    key,
    columns: columns
      .map(({ name: column, type, nullable }) => ({ name: column, type, nullable }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  }));
  const byName = (a: { name: unknown }, b: { name: unknown }) => String(a.name).localeCompare(String(b.name));
  expect(described.sort(byName)).toEqual(found.sort(byName));
});

it("[PG-STORE-1] reads the keys of inserted, changed and deleted rows out of a changeset", () => {
  const database = new DatabaseSync(":memory:");
  database.exec(`CREATE TABLE a (n INTEGER PRIMARY KEY, t TEXT, r REAL, b BLOB);
    CREATE TABLE c (x INTEGER NOT NULL, y BLOB NOT NULL, z TEXT, PRIMARY KEY (x, y)) WITHOUT ROWID;
    INSERT INTO a VALUES (1, 'one', 0.5, x'01'), (2, 'two', NULL, NULL); INSERT INTO c VALUES (1, x'aa', 'z'), (2, x'bb', 'z')`);
  const session = database.createSession();
  const long = "é".repeat(300);
  database.prepare("INSERT INTO a VALUES (?, ?, ?, ?)").run(-7, long, 1.5, Buffer.alloc(200));
  database.exec("UPDATE a SET r=2 WHERE n=1; DELETE FROM a WHERE n=2; DELETE FROM c WHERE x=1; UPDATE c SET z='y' WHERE x=2");
  database.exec("SAVEPOINT s; INSERT INTO a VALUES (9, '', 0, NULL); ROLLBACK TO s; RELEASE s");
  const keys = readChangeset(session.changeset()).map(({ table, key }) =>
    [table, ...key.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value))].join(" "),
  );
  expect(keys.sort()).toEqual(["a -7", "a 1", "a 2", "c 1 aa", "c 2 bb"]);
});
