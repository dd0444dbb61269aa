// Embedded ticket creation beside a raw SQLite transaction that writes the same two rows with the same settings.
import { join } from "node:path";
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
      const count = quick ? 200 : 1000;
      const ours: number[] = [];
      const limit: number[] = [];
      for (let round = 0; round < 5; round++) {
        limit.push(perSecond(count, rawOnce));
        ours.push(perSecond(count, () => engine.createTicket(command)));
      }
      engine.dispose();
      raw.close();
      return [
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
