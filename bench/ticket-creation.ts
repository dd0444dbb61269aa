// Embedded ticket creation beside two raw SQLite transactions with the same settings: one that writes an event and a ticket as two
// bare rows, and one that writes the very rows of a ticket (event, ticket, texts, count) into the store's own tables and indexes.

import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { HapEngine } from "@hap/core";
import { type Benchmark, compare, median, perSecond, rawDatabase, withFolder } from "./measure.ts";

const command = { to: "human:alex", kind: "run_command", summary: "Run the tests", details: { command: "npm test" } };

export const ticketCreation: Benchmark = {
  name: "ticket creation",
  run: ({ quick }) =>
    withFolder((folder) => {
      const engine = new HapEngine({ dbPath: join(folder, "hap.db"), home: folder });
      engine.createTicket(command);
      const [event] = engine.getEvents({ limit: 2 }).slice(-1);
      const payload = JSON.stringify(event?.payload);
      const row = JSON.stringify(engine.listAll({ limit: 1 })[0]);
      const raw = rawDatabase(
        join(folder, "raw.db"),
        "CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, payload TEXT, hash TEXT); CREATE TABLE tickets (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, row TEXT);",
      );
      const insertEvent = raw.prepare("INSERT INTO events (id, payload, hash) VALUES (?, ?, ?)");
      const insertTicket = raw.prepare("INSERT INTO tickets (id, row) VALUES (?, ?)");
      const begin = raw.prepare("BEGIN IMMEDIATE");
      const commit = raw.prepare("COMMIT");
      let made = 0;
      const rawOnce = () => {
        begin.run();
        insertEvent.run(`evt_${made}`, payload, "0".repeat(64));
        insertTicket.run(`tk_${made++}`, row);
        commit.run();
      };
      const same = sameRows(folder, join(folder, "hap.db"));
      const count = quick ? 200 : 1000;
      const ours: number[] = [];
      const limit: number[] = [];
      const rows: number[] = [];
      for (let round = 0; round < 5; round++) {
        limit.push(perSecond(count, rawOnce));
        rows.push(perSecond(count, same.once));
        ours.push(perSecond(count, () => engine.createTicket(command)));
      }
      engine.dispose();
      raw.close();
      same.close();
      return [
        compare(
          {
            name: "ticket creation, beside the same rows",
            value: median(ours),
            unit: "/s",
            baseline: { name: "raw SQLite, the same rows in the same tables", value: median(rows) },
          },
          { least: 0.7 },
        ),
        compare(
          {
            name: "ticket creation, one transaction each",
            value: median(ours),
            unit: "/s",
            baseline: { name: "raw SQLite, two rows", value: median(limit) },
          },
          { least: 0.7 },
        ),
      ];
    }),
};

/** A transaction that writes the rows of the newest ticket again and again, under other keys, into an empty store. */
function sameRows(folder: string, from: string): { once: () => void; close: () => void } {
  const path = join(folder, "same.db");
  new HapEngine({ dbPath: path, home: folder }).dispose();
  const source = new DatabaseSync(from, { readOnly: true });
  const ticket = source.prepare("SELECT * FROM tickets ORDER BY seq DESC LIMIT 1").get() as Record<string, SQLInputValue>;
  const event = source
    .prepare("SELECT seq, payload, prev_hash, hash, ticket_prev FROM events WHERE seq=?")
    .get(ticket.seq as number) as Record<string, SQLInputValue>;
  const texts = source.prepare("SELECT * FROM contents WHERE ticket_seq=?").all(ticket.seq as number);
  source.close();
  const raw = rawDatabase(path, "PRAGMA secure_delete=ON");
  const insert = (table: string, row: Record<string, unknown>) =>
    raw.prepare(
      `INSERT INTO ${table} (${Object.keys(row)
        .map((name) => `"${name}"`)
        .join(", ")}) VALUES (${Object.keys(row)
        .map(() => "?")
        .join(", ")})`,
    );
  const insertEvent = insert("events", event);
  const insertTicket = insert("tickets", ticket);
  const insertText = insert("contents", texts[0] as Record<string, unknown>);
  const count = raw.prepare(
    "INSERT INTO quotas (agent, open_tickets) VALUES (?, ?) ON CONFLICT(agent) DO UPDATE SET open_tickets=excluded.open_tickets",
  );
  const begin = raw.prepare("BEGIN IMMEDIATE");
  const commit = raw.prepare("COMMIT");
  let seq = 0;
  const once = () => {
    seq++;
    const id = `tk_${String(seq).padStart(26, "0")}`;
    begin.run();
    insertEvent.run(...Object.values({ ...event, seq }));
    insertTicket.run(...Object.values({ ...ticket, seq, id, code: id.slice(-6) }));
    for (const text of texts) insertText.run(...(Object.values({ ...text, ticket_seq: seq }) as SQLInputValue[]));
    count.run(ticket.from as string, seq);
    commit.run();
  };
  return { once, close: () => raw.close() };
}
