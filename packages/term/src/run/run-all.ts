// All trials of a run, several at a time. Each finished one is on disk before it is counted.
import { basename, join, resolve } from "node:path";
import { readTask } from "../tasks/read-task.ts";
import type { Task } from "../tasks/task.ts";
import { makeTrialFolder, readTrialResult, trialName, writeJson } from "./run-folder.ts";
import type { RunOptions } from "./run-options.ts";
import type { StepsInput } from "./run-steps.ts";
import { runTrial } from "./run-trial.ts";
import type { TrialResult } from "./trial-result.ts";

export type RunAllInput = {
  folder: string;
  options: RunOptions;
  gate: StepsInput["gate"];
  signal: AbortSignal;
  onTrial: (result: TrialResult, done: number, total: number) => void;
  onLog?: ((text: string) => void) | undefined;
};

type Found = { task: Task | null; name: string; broken?: { name: string; error: unknown } };

/** A task that cannot be read fails alone, as a trial of its name. */
function readOrError(folder: string): Found {
  try {
    const task = readTask(folder);
    return { task, name: task.name };
  } catch (error) {
    const name = basename(resolve(folder));
    return { task: null, name, broken: { name, error } };
  }
}

/** Two folders may have one name; then the second is told apart, so that neither takes the other's result. */
function named(found: readonly Found[]): Found[] {
  const taken = new Map<string, number>();
  return found.map(({ task, name: given, broken }) => {
    const count = (taken.get(given) ?? 0) + 1;
    taken.set(given, count);
    const name = count === 1 ? given : `${given}-${count}`;
    return {
      name,
      task: task === null ? null : { ...task, name },
      ...(broken === undefined ? {} : { broken: { ...broken, name } }),
    };
  });
}

/** Run what is not done yet, and give back every result of the run. */
export async function runAll(input: RunAllInput): Promise<TrialResult[]> {
  const { folder, options, signal } = input;
  const tasks =
    options.work.kind === "tasks" ? named(options.work.folders.map(readOrError)) : [{ task: null, name: "instruction" }];
  const wanted = tasks.flatMap((found) =>
    Array.from({ length: options.trials }, (_, index) => ({
      ...found,
      trial: index + 1,
      name: trialName(found.name, index + 1),
    })),
  );
  const results = new Map<string, TrialResult>();
  for (const { name } of wanted) {
    const known = readTrialResult(folder, name);
    if (known !== null) results.set(name, known);
  }
  const waiting = wanted.filter(({ name }) => !results.has(name));
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const trialFolder = makeTrialFolder(folder, next.name);
      const { gate, onLog } = input;
      const trial = { options, task: next.task, trial: next.trial, folder: trialFolder, gate, signal, onLog };
      const result = await runTrial("broken" in next ? { ...trial, broken: next.broken } : trial);
      results.set(next.name, result);
      // An interrupted trial leaves no result, so that a resumed run does it again.
      if (result.status !== "interrupted") writeJson(join(trialFolder, "result.json"), result);
      input.onTrial(result, results.size, wanted.length);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.jobs) }, work));
  const all = wanted.flatMap(({ name }) => results.get(name) ?? []);
  writeJson(join(folder, "result.json"), { version: 1, trials: wanted.length, finished: all.length, results: all });
  return all;
}
