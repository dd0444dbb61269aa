// All trials of a run, several at a time. Each finished one is on disk before it is counted.
import { join } from "node:path";
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

/** Run what is not done yet, and give back every result of the run. */
export async function runAll(input: RunAllInput): Promise<TrialResult[]> {
  const { folder, options, signal } = input;
  const tasks: (Task | null)[] = options.work.kind === "tasks" ? options.work.folders.map(readTask) : [null];
  const wanted = tasks.flatMap((task) =>
    Array.from({ length: options.trials }, (_, index) => ({
      task,
      trial: index + 1,
      name: trialName(task?.name ?? "instruction", index + 1),
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
      const result = await runTrial({ options, task: next.task, trial: next.trial, folder: trialFolder, gate, signal, onLog });
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
