// Process groups and what is left of them: read from /proc, ended by signals. A group that is gone is no error.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The group that has the terminal of a process, or null. */
export function foregroundGroup(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything; after it: state ppid pgrp session tty_nr tpgid.
    const group = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[5]);
    return group > 0 ? group : null;
  } catch {
    return null;
  }
}

/** Signal every process of a group. */
export function killGroup(group: number | null | undefined, signal: NodeJS.Signals): void {
  // Never 0 or 1: that would be our own group, or everything.
  if (group === null || group === undefined || group <= 1) return;
  try {
    process.kill(-group, signal);
  } catch {
    // It is gone already.
  }
}

/** The processes whose environment carries a mark: it is inherited, so that daemons are found which left every group. */
function processesMarked(mark: string): number[] {
  const wanted = Buffer.from(`${MARK_NAME}=${mark}`);
  const found: number[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const environment = readFileSync(`/proc/${name}/environ`);
      if (Number(name) !== process.pid && environment.includes(wanted)) found.push(Number(name));
    } catch {
      // It ended meanwhile, or belongs to somebody else.
    }
  }
  return found;
}

/** The variable that carries the mark. */
export const MARK_NAME = "HAP_TERM_MARK";

/** Kill everything that carries a mark, until nothing is left. */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== "linux") return;
  for (let round = 0; round < 50; round++) {
    const left = processesMarked(mark);
    if (left.length === 0) return;
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended meanwhile.
      }
    }
    await sleep(10);
  }
}
