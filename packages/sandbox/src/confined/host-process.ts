// The program that runs the agent, found from one of its children: the nearest process above that is no shell. A session ends with
// it. A process is known by its number and the time it started, since numbers are used again.
import { readFileSync } from "node:fs";

export type ProcessId = { pid: number; started: string };

const SHELLS = /^(?:sh|dash|bash|zsh|ksh|fish|env|timeout|nice|setpriv|sudo)$/;

/** The host above a process; null where only shells are left. */
export function findHostProcess(pid: number): ProcessId | null {
  for (let at = pid; at >= 1; ) {
    const found = readStat(at);
    if (found === null) return null;
    if (!SHELLS.test(found.name)) return { pid: at, started: found.started };
    at = found.parent;
  }
  return null;
}

/** What identifies a running process. */
export function identifyProcess(pid: number): ProcessId | null {
  const found = readStat(pid);
  return found === null || found.state === "Z" ? null : { pid, started: found.started };
}

/** True while that very process runs. */
export function isRunning({ pid, started }: ProcessId): boolean {
  return identifyProcess(pid)?.started === started;
}

/** Running children of a process. */
export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return text
      .split(" ")
      .filter((word) => word !== "")
      .map(Number)
      .filter((child) => identifyProcess(child) !== null);
  } catch {
    return [];
  }
}

function readStat(pid: number): { name: string; state: string; parent: number; started: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
    return { name, state: fields[0] as string, parent: Number(fields[1]), started: fields[19] as string };
  } catch {
    return null;
  }
}
