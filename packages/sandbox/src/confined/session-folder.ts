// Where a session of an agent keeps what belongs to its confinement: `~/.hap/confined/<key>/`, which no confined command sees.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { childrenOf, isRunning, type ProcessId } from "./host-process.ts";
import { hasRuns } from "./session-runs.ts";

/** The folder of a session. */
export function sessionFolder(home: string, key: string): string {
  return join(home, ".hap", "confined", key);
}

/** The same, made, for its owner only. */
export function makeSessionFolder(home: string, key: string): string {
  const folder = sessionFolder(home, key);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The cache of a project's confined commands. */
export function projectCache(home: string, project: string): string {
  return join(home, ".hap", "confined-caches", createHash("sha256").update(project).digest("hex").slice(0, 24));
}

/** The first process of the session's namespaces, if they are up. */
export function readHolder(folder: string): ProcessId | null {
  try {
    const [pid, started] = readFileSync(join(folder, "holder"), "utf8").trim().split(" ");
    const found = { pid: Number(pid), started: started ?? "" };
    return isRunning(found) ? found : null;
  } catch {
    return null;
  }
}

/** True while a command, or a process that an earlier one left running, is active in the session's namespaces. */
export function isActive(home: string, key: string): boolean {
  const folder = sessionFolder(home, key);
  const holder = readHolder(folder);
  return holder !== null && (childrenOf(holder.pid).length > 0 || hasRuns(folder));
}
