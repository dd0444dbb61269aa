// What many trials leave of themselves, seen from inside the process that ran them: nothing.
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runAll } from "../src/run/run-all.ts";
import { chooseSandbox } from "../src/sandbox/choose-sandbox.ts";
import { processesWith, runOptions, temporaryFolder } from "./support.ts";

const task = new URL("../tasks/hello-world", import.meta.url).pathname;
const folder = temporaryFolder();
const scratch = join(folder, "tmp");
const before = process.env.TMPDIR;

beforeAll(() => {
  mkdirSync(scratch);
  process.env.TMPDIR = scratch;
});

afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

/** What this process holds open. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return [];
    }
  });
}

const terminals = () => openFiles().filter((path) => path === "/dev/ptmx" || path === "/dev/pts/ptmx");

function controlGroups(): string[] {
  return ["", "memory", "pids"]
    .map((name) => join("/sys/fs/cgroup", name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path).filter((name) => name.startsWith("hap-term-")));
}

/** A time to sleep that no other process has: what is left behind is known by it, in a sandbox too. */
const LONG = `400.${process.pid}`;

/** Its commands leave daemons behind; it leaves one itself. */
const AGENT = [
  `(setsid sleep ${LONG}1 > /dev/null 2>&1 &)`,
  "read -r request",
  `echo '${JSON.stringify({ command: `echo 'Hello, world!' > hello.txt; setsid sleep ${LONG}2 & nohup sleep ${LONG}3 > /dev/null 2>&1 &` }).replaceAll("'", "'\\''")}'`,
  "read -r request",
  `echo '{"command":null,"task_complete":true}'`,
];

describe.each([
  { sandbox: "auto", trials: 100 },
  { sandbox: "none", trials: 20 },
] as const)("sandbox $sandbox", ({ sandbox, trials }) => {
  test(`[TERM-CLEAN-1] ${trials} trials, two at a time, leave no process, no folder and no terminal`, {
    timeout: 180_000,
  }, async () => {
    const script = join(folder, "agent.sh");
    writeFileSync(script, `${AGENT.join("\n")}\n`);
    const run = join(folder, sandbox);
    mkdirSync(join(run, "trials"), { recursive: true });
    const groups = controlGroups();
    let most = 0;
    const look = setInterval(() => {
      most = Math.max(most, terminals().length);
    }, 5);
    const results = await runAll({
      folder: run,
      options: {
        ...runOptions({ command: `sh ${script}`, cwd: folder, sandbox, trials, jobs: 2 }),
        work: { kind: "tasks", folders: [task] },
      },
      gate: undefined,
      signal: new AbortController().signal,
      onTrial: () => {},
    });
    clearInterval(look);
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: trials }, () => "passed"));
    expect(results[0]?.sandbox.kind).toBe(chooseSandbox(sandbox));
    // One a job while they run, and never those of trials that are over.
    expect([1, 2]).toContain(most);
    expect(terminals()).toEqual([]);
    expect(readdirSync(scratch)).toEqual([]);
    expect(processesWith(folder)).toEqual([]);
    expect(processesWith(`sleep\0${LONG}`)).toEqual([]);
    // Other tests may have some of their own just now; what nobody removes is left behind.
    const left = controlGroups().filter((name) => !groups.includes(name));
    await expect.poll(() => controlGroups().filter((name) => left.includes(name)), { timeout: 30_000 }).toEqual([]);
  });
});
