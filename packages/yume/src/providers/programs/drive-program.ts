// Runs a program that prints one JSON object a line, gives it a prompt, and ends it with everything that it started.
import { type ChildProcess, spawn } from "node:child_process";
import type { ModelError } from "../../model/types.ts";
import { isObject, parseJson } from "../call-arguments.ts";
import { PermanentModelError } from "../permanent-error.ts";
import { readEvents } from "../stream/read-events.ts";
import { abortedError } from "../transport/post.ts";

export type Program = {
  command: string;
  args: readonly string[];
  input: string;
  env: NodeJS.ProcessEnv;
  cwd: string;
  signal: AbortSignal;
  idleTimeoutMs: number;
  /** What to do when it is not there. */
  install: string;
};

/** How it ended, and the last words on its standard error. */
export type Ended = { code: number | null; stderr: string };

const keptStderrChars = 4000;
const patienceAfterTermMs = 2000;

/** Its lines, as they come; returns how it ended. A caller that stops early ends the program. */
export async function* driveProgram(program: Program): AsyncGenerator<Record<string, unknown>, Ended> {
  const { command, signal, idleTimeoutMs } = program;
  if (signal.aborted) throw abortedError();
  const child = spawn(command, program.args, {
    cwd: program.cwd,
    env: program.env,
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own, so that what it started ends with it.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let failure: ModelError | null = null;
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-keptStderrChars);
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      failure ??= startError(error, program);
      resolve(null);
    });
    child.once("close", resolve);
  });
  const stop = (error: ModelError) => {
    failure ??= error;
    end(child);
  };
  const onAbort = () => stop(abortedError());
  signal.addEventListener("abort", onAbort, { once: true });
  const watch = () =>
    setTimeout(
      () => stop(new PermanentModelError("network", `${command} said nothing for ${idleTimeoutMs / 1000} s`)),
      idleTimeoutMs,
    );
  let idle = watch();
  // A program that does not read its input is no reason to fail.
  child.stdin.on("error", () => {});
  child.stdin.end(program.input);
  try {
    for await (const events of readEvents(child.stdout, "ndjson")) {
      clearTimeout(idle);
      // What is no JSON is talk for people.
      for (const { data } of events) {
        const value = parseJson(data);
        if (isObject(value)) yield value;
      }
      idle = watch();
    }
    const code = await ended;
    if (failure !== null) throw failure;
    return { code, stderr: stderr.trim() };
  } finally {
    clearTimeout(idle);
    signal.removeEventListener("abort", onAbort);
    end(child);
  }
}

function end(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  kill(child, "SIGTERM");
  const later = setTimeout(() => kill(child, "SIGKILL"), patienceAfterTermMs);
  child.once("close", () => clearTimeout(later));
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === "win32" || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It is gone already.
  }
}

function startError(error: Error, { command, install }: Program): ModelError {
  const missing = "code" in error && error.code === "ENOENT";
  return new PermanentModelError(
    "not_found",
    missing ? `${command} is not installed: ${install}` : `${command} does not start: ${error.message}`,
  );
}
