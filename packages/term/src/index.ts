// The package's public surface: read tasks, run trials, read results.
export { readResults, readRunFile } from "./run/run-folder.ts";
export type { RunOptions } from "./run/run-options.ts";
export { DEFAULT_LIMITS, type Limits } from "./run/run-steps.ts";
export { runTrial } from "./run/run-trial.ts";
export type { Status, TrialResult } from "./run/trial-result.ts";
export { readTask } from "./tasks/read-task.ts";
export type { Task } from "./tasks/task.ts";
export { TermError } from "./term-error.ts";
