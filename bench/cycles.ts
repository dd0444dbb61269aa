// One cycle: an agent opens a durable ticket and waits, a person decides, the waiter wakes. One at a time, and 32 at a time.
// Beside it: raw SQLite commits of one row with the same settings.
import { join } from "node:path";
import { connectAgent, connectPerson } from "@hap/sdk";
import { type Benchmark, compare, cyclesPerSecond, median, perSecond, rawDatabase, withFolder } from "./measure.ts";

const command = { to: "human:alex", kind: "run_command", summary: "Run the tests", details: { command: "npm test" } };

/** Both clients on one embedded store, and the cycle between them. */
export async function withHapCycle(folder: string, work: (cycle: () => Promise<void>) => Promise<void>): Promise<void> {
  const place = { dbPath: join(folder, "hap.db"), home: folder };
  const agent = await connectAgent({ ...place, agent: "agent:bench" });
  const person = await connectPerson({ ...place, person: "human:alex" });
  try {
    await work(async () => {
      const ticket = await agent.createTicket(command);
      const outcome = agent.wait(ticket.id);
      await person.approve(ticket.id, "go on");
      await outcome;
    });
  } finally {
    await agent.close();
    await person.close();
  }
}

export const cycles: Benchmark = {
  name: "cycles",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const raw = rawDatabase(join(folder, "raw.db"), "CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)");
      const insert = raw.prepare("INSERT INTO rows (body) VALUES (?)");
      const body = "x".repeat(1500);
      const count = quick ? 100 : 400;
      const limit: number[] = [];
      const single: number[] = [];
      const many: number[] = [];
      await withHapCycle(folder, async (cycle) => {
        for (let round = 0; round < 5; round++) {
          limit.push(perSecond(count, () => insert.run(body)));
          single.push(await cyclesPerSecond(count, 1, cycle));
          many.push(await cyclesPerSecond(count * 4, 32, cycle));
        }
      });
      raw.close();
      const baseline = { name: "raw commits of one row", value: median(limit) };
      return [
        compare({ name: "cycles, 1 at a time (two commits each)", value: median(single), unit: "/s", baseline }, { least: 0.2 }),
        compare({ name: "cycles, 32 at a time", value: median(many), unit: "/s", baseline }, { least: 0.6 }),
      ];
    }),
};
