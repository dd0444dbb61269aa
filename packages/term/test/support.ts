// What the tests of the harness share: a folder that goes away, options for a trial, and a look at what is left running.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { RunOptions } from "../src/run/run-options.ts";
import { DEFAULT_LIMITS, type Limits, type StepsInput } from "../src/run/run-steps.ts";
import { runTrial } from "../src/run/run-trial.ts";
import type { TrajectoryEntry } from "../src/run/trajectory.ts";
import type { TrialResult } from "../src/run/trial-result.ts";
import { readTask } from "../src/tasks/read-task.ts";

export const node = process.execPath;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed after the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "term-test-"));
  folders.push(folder);
  return folder;
}

/** Options for a run in a folder. */
export function runOptions(
  change: Partial<Omit<RunOptions, "limits">> & { limits?: Partial<Limits>; command?: string; cwd?: string } = {},
): RunOptions {
  const { limits, command = "true", cwd = "/", ...rest } = change;
  return {
    agent: { kind: "process", command, cwd },
    work: { kind: "instruction", instruction: "Do it", cwd },
    trials: 1,
    jobs: 1,
    sandbox: "none",
    image: null,
    network: false,
    limits: { ...DEFAULT_LIMITS, responseTimeoutMs: 45_000, commandTimeoutMs: 45_000, graceMs: 500, ...limits },
    totalTimeGiven: false,
    outputLimitBytes: 10_000,
    price: null,
    gate: null,
    ...rest,
  };
}

export type Ran = { result: TrialResult; folder: string; work: string; steps: TrajectoryEntry[]; log: string };

/** Run one trial of an agent's command line, on an instruction or on a task's folder. */
export async function runAgent(
  command: string,
  change: Omit<NonNullable<Parameters<typeof runOptions>[0]>, "gate"> & {
    task?: string;
    gate?: StepsInput["gate"];
    signal?: AbortSignal;
  } = {},
): Promise<Ran> {
  const base = temporaryFolder();
  const [folder, work] = [join(base, "trial"), join(base, "work")];
  for (const path of [folder, work]) mkdirSync(path);
  const { task, gate, signal = new AbortController().signal, ...options } = change;
  const result = await runTrial({
    options: runOptions({ command, cwd: work, ...options }),
    task: task === undefined ? null : readTask(task),
    trial: 1,
    folder,
    gate,
    signal,
  });
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
  const steps = read("trajectory.jsonl")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TrajectoryEntry);
  return { result, folder, work, steps, log: read("agent.log") };
}

/** The command line of an agent that sends these lines, one a request, and writes down what it was sent. */
export function lineAgent(folder: string, lines: readonly (string | object)[]): string {
  const script = join(folder, "lines.json");
  writeFileSync(script, JSON.stringify(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)))));
  return `${node} ${new URL("fixtures/line-agent.mjs", import.meta.url).pathname} ${script} ${join(folder, "requests.jsonl")}`;
}

/** What a line agent was sent. */
export function requestsOf(folder: string): Record<string, unknown>[] {
  return readFileSync(join(folder, "requests.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** True while a process lives; one that ended and waits for its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Processes whose command line or environment holds a text. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const read = (file: string) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, "utf8");
        } catch {
          return "";
        }
      };
      return pid !== process.pid && isAlive(pid) && (read("cmdline").includes(text) || read("environ").includes(text));
    });
}
