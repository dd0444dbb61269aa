// The folder of a run: run.json (what was asked), trials/NAME/ (one each), result.json (all together). A trial whose result
// is there is done; that is how an interrupted run is resumed.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { TermError } from "../term-error.ts";
import type { RunOptions } from "./run-options.ts";
import type { TrialResult } from "./trial-result.ts";

/** What run.json holds. */
export type RunFile = { version: 1; id: string; created_at: string; options: RunOptions };

/** Make a run's folder. */
export function makeRunFolder(path: string, run: RunFile): void {
  if (existsSync(join(path, "run.json")))
    throw new TermError(
      "usage",
      `${path} holds a run already. Choose another --out, or continue it with \`term run --resume ${path}\`.`,
    );
  mkdirSync(join(path, "trials"), { recursive: true });
  writeJson(join(path, "run.json"), run);
}

/** Read run.json. */
export function readRunFile(path: string): RunFile {
  const file = join(path, "run.json");
  if (!existsSync(file)) throw new TermError("run_missing", `${resolve(path)} is no run: there is no run.json in it.`);
  return JSON.parse(readFileSync(file, "utf8")) as RunFile;
}

/** The name of a trial's folder. */
export function trialName(task: string, trial: number): string {
  return `${task.replace(/[^A-Za-z0-9._-]+/g, "_")}.${trial}`;
}

/** An empty folder for a trial; what an interrupted one left is gone. */
export function makeTrialFolder(run: string, name: string): string {
  const folder = join(run, "trials", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The result of a trial, or null when it did not finish. */
export function readTrialResult(run: string, name: string): TrialResult | null {
  const file = join(run, "trials", name, "result.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as TrialResult) : null;
}

/** Every finished trial of a run, by name. */
export function readResults(run: string): { name: string; folder: string; result: TrialResult }[] {
  readRunFile(run);
  const names = readdirSync(join(run, "trials")).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return names.flatMap((name) => {
    const result = readTrialResult(run, name);
    return result === null ? [] : [{ name, folder: join(run, "trials", name), result }];
  });
}

/** Write a file whole or not at all. */
export function writeJson(path: string, value: unknown): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}
