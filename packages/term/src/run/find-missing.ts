// What a task needs and this machine does not have. Such a task counts neither as passed nor as failed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sandboxWorks } from "../sandbox/choose-sandbox.ts";
import type { Task } from "../tasks/task.ts";
import type { RunOptions } from "./run-options.ts";

/** The first file of the tests that names the folder /logs itself instead of $LOGS_DIR, or null. */
function writesHostLogs(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const found = files.find(({ parentPath, name }) =>
    /(?<![\w$}./-])\/logs(?:\/|\b)/.test(readFileSync(join(parentPath, name), "latin1")),
  );
  return found?.name ?? null;
}

/** Why a task cannot be run here, or null when it can. */
export function findMissing(task: Task, asked: RunOptions["sandbox"]): string | null {
  if (task.container !== null) {
    if (task.dockerfile === null && task.image === null)
      return `the task needs a container that only docker compose can make: ${task.container}`;
    if (asked !== "auto" && asked !== "docker")
      return `the task needs a container (${task.container}), and --sandbox ${asked} is none`;
    return sandboxWorks("docker") ? null : `the task needs a container (${task.container}), and no container engine answers`;
  }
  const outside = asked === "none" ? writesHostLogs(task.tests.folder) : null;
  if (outside !== null)
    return `its tests write to /logs (${outside}), which without a sandbox is this machine's own: use another --sandbox`;
  // In a container its image says what is installed.
  const missing = asked === "docker" ? [] : task.requires.filter((name) => spawnSync("which", [name]).status !== 0);
  return missing.length === 0 ? null : `the task needs programs that are not installed: ${missing.join(", ")}`;
}
