// Runs a program of the user for what it prints, such as a token. Never for long; its arguments are ours.
import { execFile } from "node:child_process";

export type Output = { ok: true; output: string } | { ok: false; why: string };

const longestMs = 15_000;

/** What it printed, trimmed; or why there is nothing. What it printed when it failed is not told: it may hold a secret. */
export function runForOutput(
  program: string,
  args: readonly string[],
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<Output> {
  return new Promise((resolve) => {
    // On Windows such programs are scripts, which only a shell can start.
    const shell = process.platform === "win32";
    const options = { env, signal, timeout: longestMs, encoding: "utf8" as const, windowsHide: true, shell };
    execFile(program, args, options, (error, stdout) => {
      if (error === null) resolve({ ok: true, output: stdout.trim() });
      else resolve({ ok: false, why: reason(program, error) });
    });
  });
}

function reason(program: string, error: Error & { code?: unknown; killed?: boolean }): string {
  if (error.code === "ENOENT") return `${program} is not installed`;
  if (error.killed === true) return `${program} took longer than ${longestMs / 1000} s`;
  return `${program} ended with ${String(error.code)}`;
}
