// bash under a Seatbelt profile.
import { spawn } from "node:child_process";
import { SANDBOX_EXEC } from "./seatbelt-mark.ts";
import type { RunInside } from "./try-escapes.ts";

const LONGEST_MS = 20_000;

/** The words that start a command under a profile. */
export function seatbeltCommand(profile: string, command: readonly string[]): [string, string[]] {
  return [SANDBOX_EXEC, ["-p", profile, ...command]];
}

/** Runs an attempt to escape with the real sandbox-exec, for some seconds at most. */
export const runInside: RunInside = (profile, script, { cwd, env }) => {
  const [program, args] = seatbeltCommand(profile, ["/bin/bash", "-c", script]);
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "ignore"], detached: true });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(0, 65_536);
  });
  const late = setTimeout(() => endGroup(child.pid), LONGEST_MS);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(late);
      endGroup(child.pid);
      resolve(printed);
    });
  });
};

/** End what a command left running in its process group. */
export function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing is left of it.
  }
}
