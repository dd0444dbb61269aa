// Runs a program to its end, with its output in a file and a limit for its time. Its whole group ends with it.
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { killGroup } from "./process-groups.ts";

/** `exitCode` is null when the time was over. A program that cannot be started ends with 127, as in a shell. */
export function runToFile(
  command: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv; logPath: string; timeoutMs: number; signal?: AbortSignal },
): Promise<{ exitCode: number | null }> {
  const log = openSync(options.logPath, "a");
  const [file = "", ...args] = command;
  const child = spawn(file, args, { cwd: options.cwd, env: options.env, detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  return new Promise((resolve) => {
    let late = false;
    const stop = () => killGroup(child.pid, "SIGKILL");
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, options.timeoutMs);
    options.signal?.addEventListener("abort", stop);
    if (options.signal?.aborted) stop();
    const end = (exitCode: number | null) => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", stop);
      resolve({ exitCode: late ? null : exitCode });
    };
    child.on("error", () => end(127));
    child.on("exit", (code, signal) => end(code ?? (signal === null ? 1 : 137)));
  });
}
