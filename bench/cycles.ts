// One cycle: an agent opens a durable ticket and waits, a person decides, the waiter wakes. One at a time, and 32 at a time.
// Beside it: the same number of raw SQLite commits, alone and 32 rows to a commit, with the same settings.
import { join } from "node:path";
import { connectAgent, connectPerson } from "@hap/sdk";
import { type Benchmark, compare, median, perSecond, type Result, rawDatabase, withFolder } from "./measure.ts";

const command = { to: "human:alex", kind: "run_command", summary: "Run the tests", details: { command: "npm test" } };

export const cycles: Benchmark = {
  name: "cycles",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const place = { dbPath: join(folder, "hap.db"), home: folder };
      const agent = await connectAgent({ ...place, agent: "agent:bench" });
      const person = await connectPerson({ ...place, person: "human:alex" });
      const cycle = async () => {
        const ticket = await agent.createTicket(command);
        const outcome = agent.wait(ticket.id);
        await person.approve(ticket.id, "go on");
        await outcome;
      };
      const raw = rawDatabase(join(folder, "raw.db"), "CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)");
      const insert = raw.prepare("INSERT INTO rows (body) VALUES (?)");
      const body = "x".repeat(1500);
      const commit = (rows: number) => {
        raw.exec("BEGIN IMMEDIATE");
        for (let row = 0; row < rows; row++) insert.run(body);
        raw.exec("COMMIT");
      };
      const results: Result[] = [];
      const single: number[] = [];
      const singleRaw: number[] = [];
      const many: number[] = [];
      const manyRaw: number[] = [];
      const count = quick ? 100 : 400;
      for (let round = 0; round < 5; round++) {
        singleRaw.push(perSecond(count, () => commit(1)));
        single.push(await cyclesPerSecond(count, 1, cycle));
        manyRaw.push(32 * perSecond(Math.ceil(count / 8), () => commit(32)));
        many.push(await cyclesPerSecond(count * 4, 32, cycle));
      }
      await agent.close();
      await person.close();
      raw.close();
      results.push(
        compare(
          {
            name: "cycles, 1 at a time (two commits each)",
            value: median(single),
            unit: "/s",
            baseline: { name: "raw commits of one row", value: median(singleRaw) },
          },
          { least: 0.2 },
        ),
      );
      results.push(
        compare(
          {
            name: "cycles, 32 at a time",
            value: median(many),
            unit: "/s",
            baseline: { name: "raw commits of one row", value: median(singleRaw) },
          },
          { least: 0.6 },
        ),
      );
      return results;
    }),
};

async function cyclesPerSecond(count: number, concurrent: number, cycle: () => Promise<void>): Promise<number> {
  const started = performance.now();
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      begun++;
      await cycle();
    }
  };
  await Promise.all(Array.from({ length: concurrent }, worker));
  return (count * 1000) / (performance.now() - started);
}
