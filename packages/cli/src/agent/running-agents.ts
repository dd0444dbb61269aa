// Which agents run under `hap claude` and `hap codex`: one small file each, beside the store. The background inbox ends with the
// last of them. A file whose process is gone is removed by whoever looks next, so that a crash leaves nothing for long.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folderOf = (store: string) => `${store}.agents`;

/** Note that a process is an agent of this store, before it becomes one. */
export function noteAgent(store: string, pid: number): void {
  // The folder goes with its last note, perhaps just now.
  for (let tries = 0; ; tries++) {
    mkdirSync(folderOf(store), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(join(folderOf(store), String(pid)), startOf(pid) ?? "", { mode: 0o600 });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === 3) throw error;
    }
  }
}

/** Take a note back: the agent was not started. */
export function forgetAgent(store: string, pid: number): void {
  rmSync(join(folderOf(store), String(pid)), { force: true });
  removeIfEmpty(store);
}

/** The agents that still run. Notes of others are removed. */
export function runningAgents(store: string): number[] {
  const pids = notedIn(store).filter((pid) => {
    if (stillRuns(store, pid)) return true;
    rmSync(join(folderOf(store), String(pid)), { force: true });
    return false;
  });
  if (pids.length === 0) removeIfEmpty(store);
  return pids;
}

function notedIn(store: string): number[] {
  try {
    return readdirSync(folderOf(store))
      .filter((name) => /^[1-9][0-9]{0,9}$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** A process with that number, begun when the note says: numbers are used again. */
function stillRuns(store: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    const noted = readFileSync(join(folderOf(store), String(pid)), "utf8");
    return noted === "" || noted === (startOf(pid) ?? "");
  } catch {
    return false;
  }
}

/** True for a process that exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When a process began, in the kernel's ticks; null where there is no /proc. A process that becomes another program keeps it. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything, so fields are counted from behind it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function removeIfEmpty(store: string): void {
  try {
    rmdirSync(folderOf(store));
  } catch {
    // Somebody else's note is in it, or it is gone.
  }
}
