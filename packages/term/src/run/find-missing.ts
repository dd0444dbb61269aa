// What a task needs and this machine lacks. Such a task is unsupported: neither passed nor failed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chooseEngine, isEngine } from "../sandbox/choose-sandbox.ts";
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
  if (task.unsupported !== null) return task.unsupported;
  if (task.container !== null) {
    if (task.build === null && task.image === null)
      return "the task needs a container, and names neither a Dockerfile nor an image";
    if (asked !== "auto" && !isEngine(asked))
      return `the task needs a container (${task.container}), and --sandbox ${asked} has none`;
    if (chooseEngine(asked) !== null) return null;
    const engines = asked === "auto" ? "neither docker nor podman answers" : `${asked} does not answer`;
    return `the task needs a container (${task.container}), and ${engines}`;
  }
  const outside = asked === "none" ? writesHostLogs(task.tests.folder) : null;
  if (outside !== null)
    return `its tests write to /logs (${outside}), which without a sandbox is this machine's own: use another --sandbox`;
  // In a container the image decides what is installed.
  const missing = isEngine(asked) ? [] : task.requires.filter((name) => spawnSync("which", [name]).status !== 0);
  return missing.length === 0 ? null : `the task needs programs that are not installed: ${missing.join(", ")}`;
}
