// Child processes with a group of their own, so that what a command started ends with it.
import type { ChildProcess } from "node:child_process";

const GRACE_MS = 2_000;

/** Ask a group to end; after a while, end it. */
export function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  signalGroup(child.pid, "SIGTERM");
  setTimeout(() => child.pid !== undefined && signalGroup(child.pid, "SIGKILL"), GRACE_MS).unref();
}

/** Send a signal to a whole group, on Windows to its first process; a group that is gone is no error. */
export function signalGroup(
  pid: number,
  signal: NodeJS.Signals,
  platform: NodeJS.Platform = process.platform,
  kill: (pid: number, signal: NodeJS.Signals) => unknown = (target, name) => process.kill(target, name),
): void {
  try {
    kill(platform === "win32" ? pid : -pid, signal);
  } catch {
    // Nobody is left.
  }
}
