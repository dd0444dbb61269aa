// The desktop app with 10,000 waiting tickets: from its start to a list that can be used, and what its processes hold.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HapEngine } from "@hap/core";
import { buildProgram } from "../apps/desktop/scripts/build.ts";
import { type Session, startSession } from "../apps/desktop/test/window/desktop-session.ts";
import { Driven, until } from "../apps/desktop/test/window/web-driver.ts";
import { type Benchmark, median, type Result } from "./measure.ts";

const person = "human:alex";

export const desktopStart: Benchmark = { name: "desktop app", run };

async function run({ quick }: { quick: boolean }): Promise<Result[]> {
  const program = await buildProgram(["automation"]);
  const session = await startSession();
  try {
    const [few, many] = [fill(session, "few", 20), fill(session, "many", quick ? 1_000 : 10_000)];
    const times = { few: [] as number[], many: [] as number[] };
    const memory: number[] = [];
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      times.few.push((await start(program, session, few)).ms);
      const { ms, mb } = await start(program, session, many);
      times.many.push(ms);
      memory.push(mb);
    }
    const value = median(times.many);
    const baseline = { name: "the same with 20 tickets", value: median(times.few) };
    return [
      {
        name: `desktop app, start to a usable list, ${quick ? "1,000" : "10,000"} open tickets`,
        value,
        unit: "ms",
        baseline,
        ratio: value / baseline.value,
        target: "<= 1.5",
        met: value / baseline.value <= 1.5,
      },
      { name: "memory of the desktop app, all its processes (PSS)", value: median(memory), unit: "MB" },
    ];
  } finally {
    session.stop();
  }
}

function fill(session: Session, name: string, count: number): string {
  mkdirSync(join(session.home, name));
  const path = join(session.home, name, "hap.db");
  const engine = new HapEngine({ dbPath: path, home: session.home, humanId: person });
  const from = (at: number) => `agent:a${at % 100}`;
  for (let at = 0; at < count; at++)
    engine.createTicket({ to: person, from: from(at), kind: "run_command", summary: `Ticket ${at}`, details: { command: "ls" } });
  engine.dispose();
  return path;
}

/** The driver's own start is part of it: an upper bound of what a person waits. */
async function start(program: string, session: Session, store: string): Promise<{ ms: number; mb: number }> {
  const began = performance.now();
  const app = await Driven.start(program, [], { ...session.env, HAP_DB_PATH: store, HAP_HUMAN_ID: person });
  await until(async () => (await app.texts(".row-link")).length > 0, "a list");
  const ms = performance.now() - began;
  await until(() => app.run("return document.querySelector('[data-chain=verified]') !== null"), "the chain is verified");
  const mb = held(store);
  await app.stop();
  // Closing its window leaves the app in the tray.
  await until(() => {
    for (const pid of pidsOf(store)) process.kill(pid);
    return pidsOf(store).length === 0;
  }, "the app has ended");
  return { ms, mb };
}

/** Every process that was started for this store but the driver's. */
function pidsOf(store: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const env = readFileSync(`/proc/${pid}/environ`, "utf8");
        return env.includes(`HAP_DB_PATH=${store}\0`) && !readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("WebKitWebDriver");
      } catch {
        return false; // It ended meanwhile.
      }
    })
    .map(Number);
}

/** Memory of those processes, each shared page counted once. */
function held(store: string): number {
  let kilobytes = 0;
  for (const pid of pidsOf(store)) {
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      // It ended meanwhile.
    }
  }
  return kilobytes / 1000;
}
