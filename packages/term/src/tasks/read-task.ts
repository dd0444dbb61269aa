// Reads a task's folder: Harbor / Terminal-Bench 2 (task.toml), Terminal-Bench 1 (task.yaml), or plain (instruction.md).
// Unknown keys are ignored.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { TermError } from "../term-error.ts";
import { readHarbor } from "./read-harbor.ts";
import { readPlain } from "./read-plain.ts";
import { readTerminalBench1 } from "./read-terminal-bench.ts";
import type { Task } from "./task.ts";

const READERS = { "task.toml": readHarbor, "task.yaml": readTerminalBench1, "instruction.md": readPlain };

/** Read a task. */
export function readTask(path: string): Task {
  const folder = resolve(path);
  for (const [name, read] of Object.entries(READERS)) if (existsSync(join(folder, name))) return read(folder);
  throw new TermError(
    "task_invalid",
    `${folder} is not a task: expected task.toml (Harbor), task.yaml (Terminal-Bench 1) or instruction.md. \`term new task\` makes one.`,
  );
}

/** True for a folder that holds a task. */
export function isTask(folder: string): boolean {
  return Object.keys(READERS).some((name) => existsSync(join(folder, name)));
}
