// `term run`, `term oracle`, `term null`: run agents and say how they did.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { findInstalled } from "@hap/sdk/installed";
import { parseGateRule } from "../gate/gate-rule.ts";
import { makeGate } from "../gate/make-gate.ts";
import { parsePrice } from "../protocol/usage.ts";
import { printTable } from "../report/print-table.ts";
import { summarise } from "../report/summarise.ts";
import { runAll } from "../run/run-all.ts";
import { makeRunFolder, type RunFile, readRunFile } from "../run/run-folder.ts";
import type { RunOptions } from "../run/run-options.ts";
import { DEFAULT_LIMITS } from "../run/run-steps.ts";
import { exitCodeOf } from "../run/trial-result.ts";
import { chooseSandbox, isEngine } from "../sandbox/choose-sandbox.ts";
import { SANDBOX_KINDS, type SandboxKind } from "../sandbox/sandbox.ts";
import { isTask, readTask } from "../tasks/read-task.ts";
import { TermError } from "../term-error.ts";
import { DEFAULT_OUTPUT_LIMIT_BYTES } from "../terminal/terminal-options.ts";
import { makeProgress } from "./progress.ts";

/** The flags as the command line gives them. */
export type RunFlags = {
  agent?: string;
  instruction?: string;
  task?: string[];
  cwd?: string;
  trials?: number;
  jobs?: number;
  sandbox?: string;
  image?: string;
  network?: boolean;
  gate?: string;
  to?: string;
  gateTtl?: number;
  responseTimeout?: number;
  commandTimeout?: number;
  timeout?: number;
  maxSteps?: number;
  outputLimit?: number;
  price?: string;
  out?: string;
  resume?: string;
  json?: boolean;
  quiet?: boolean;
};

/** The tasks that come with the harness. */
const SHIPPED_TASKS = findInstalled(import.meta.url, "packages/term/tasks") ?? "tasks";

/** Run, and give back the exit code. */
export async function runCommand(flags: RunFlags, builtin: "oracle" | "null" | null): Promise<number> {
  const { folder, options } = flags.resume === undefined ? startRun(flags, builtin) : resumeRun(flags.resume);
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  const gate = options.gate === null ? null : await makeGate(options.gate, options.agent, controller.signal);
  const total = (options.work.kind === "tasks" ? options.work.folders.length : 1) * options.trials;
  const progress = makeProgress(process.stderr, total);
  // With one trial its agent's log is shown as it comes; with many it would be a mix.
  const showLog = total === 1 && flags.quiet !== true;
  try {
    const results = await runAll({
      folder,
      options,
      gate: gate?.ask,
      signal: controller.signal,
      onTrial: (result, done) => (flags.quiet ? undefined : progress.trial(result, done)),
      onLog: showLog ? (text) => process.stderr.write(text) : undefined,
    });
    progress.end();
    const { tasks, total: all } = summarise(results);
    if (flags.json) process.stdout.write(`${JSON.stringify({ folder, results, summary: { tasks, total: all } }, null, 2)}\n`);
    else process.stdout.write(`${printTable(tasks, all)}\n\n${folder}\n`);
    return controller.signal.aborted ? 130 : exitCodeOf(results);
  } finally {
    await gate?.close();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.removeListener(signal, stop);
  }
}

function resumeRun(path: string): { folder: string; options: RunOptions } {
  const folder = resolve(path);
  const { options } = readRunFile(folder);
  return { folder, options: { ...options, image: options.image ?? null, price: options.price ?? null } };
}

function startRun(flags: RunFlags, builtin: "oracle" | "null" | null): { folder: string; options: RunOptions } {
  const options = readFlags(flags, builtin);
  const created = new Date();
  const id = `${created.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}-${randomBytes(3).toString("hex")}`;
  const folder = resolve(flags.out ?? join("term-runs", id));
  const run: RunFile = { version: 1, id: basename(folder), created_at: created.toISOString(), options };
  // Before the folder is made: a run that cannot start leaves nothing.
  chooseSandbox(options.sandbox);
  checkImage(options);
  makeRunFolder(folder, run);
  return { folder, options };
}

function readFlags(flags: RunFlags, builtin: "oracle" | "null" | null): RunOptions {
  if (builtin === null && flags.agent === undefined)
    throw new TermError("usage", 'Say which agent to run: --agent "python my_agent.py". `term new agent` makes one.');
  if ((flags.instruction === undefined) === (flags.task === undefined && builtin === null))
    throw new TermError("usage", "Say what to do: either --instruction TEXT or --task FOLDER, not both.");
  if (flags.gate !== undefined) parseGateRule(flags.gate);
  return {
    agent: builtin === null ? { kind: "process", command: flags.agent ?? "", cwd: process.cwd() } : { kind: builtin },
    work:
      flags.instruction === undefined
        ? { kind: "tasks", folders: findTasks(flags.task ?? [SHIPPED_TASKS]) }
        : { kind: "instruction", instruction: flags.instruction, cwd: existingFolder(flags.cwd ?? ".") },
    trials: flags.trials ?? 1,
    jobs: flags.jobs ?? 1,
    sandbox: readSandbox(flags.sandbox ?? "auto"),
    image: flags.image ?? null,
    network: flags.network ?? false,
    limits: {
      responseTimeoutMs: (flags.responseTimeout ?? DEFAULT_LIMITS.responseTimeoutMs / 1000) * 1000,
      commandTimeoutMs: (flags.commandTimeout ?? DEFAULT_LIMITS.commandTimeoutMs / 1000) * 1000,
      totalTimeoutMs: (flags.timeout ?? DEFAULT_LIMITS.totalTimeoutMs / 1000) * 1000,
      maxSteps: flags.maxSteps ?? DEFAULT_LIMITS.maxSteps,
      graceMs: DEFAULT_LIMITS.graceMs,
    },
    totalTimeGiven: flags.timeout !== undefined,
    outputLimitBytes: flags.outputLimit ?? DEFAULT_OUTPUT_LIMIT_BYTES,
    price: readPrice(flags.price),
    gate: flags.gate === undefined ? null : { rule: flags.gate, to: flags.to ?? null, ttlSeconds: flags.gateTtl ?? 3600 },
  };
}

function readPrice(given: string | undefined): RunOptions["price"] {
  if (given === undefined) return null;
  const price = parsePrice(given);
  if (price !== null) return price;
  throw new TermError(
    "usage",
    `--price is INPUT/OUTPUT or INPUT/OUTPUT/CACHED in dollars for a million tokens, such as 3/15; it is ${given}.`,
  );
}

function checkImage({ sandbox, image, work }: RunOptions): void {
  if (!isEngine(sandbox) && image !== null) throw new TermError("usage", "--image needs --sandbox docker or --sandbox podman.");
  if (!isEngine(sandbox) || image !== null) return;
  const without = work.kind === "tasks" ? work.folders.find(needsImage) : work.cwd;
  if (without !== undefined)
    throw new TermError("usage", `${without} has no image. Name one with --image NAME, such as --image debian:stable.`);
}

/** What cannot be read is told when it is its turn. */
function needsImage(folder: string): boolean {
  try {
    const { container, unsupported } = readTask(folder);
    return container === null && unsupported === null;
  } catch {
    return false;
  }
}

function readSandbox(name: string): SandboxKind | "auto" {
  const kind = SANDBOX_KINDS.find((known) => known === name);
  if (kind !== undefined || name === "auto") return kind ?? "auto";
  throw new TermError("usage", `--sandbox must be auto, ${SANDBOX_KINDS.join(", ")}; it is ${name}.`);
}

/** Each folder is a task, or holds tasks. */
function findTasks(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const folder = existingFolder(path);
    if (isTask(folder)) return [folder];
    const inside = readdirSync(folder)
      .sort()
      .map((name) => join(folder, name))
      .filter((child) => statSync(child).isDirectory() && isTask(child));
    if (inside.length === 0) throw new TermError("task_invalid", `${folder} is no task and holds none.`);
    return inside;
  });
}

function existingFolder(path: string): string {
  const folder = resolve(path);
  if (existsSync(folder) && statSync(folder).isDirectory()) return folder;
  throw new TermError("usage", `There is no folder ${folder}.`);
}
