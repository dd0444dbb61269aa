// Starts a program with exactly what it was bound to, streams its output, passes signals on, and gives its exit code.
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { HapError } from "@hap/protocol";

export type Program = {
  path: string;
  /** The name that it is called by, as the first argument. */
  name: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** All of standard input; null is none. */
  input: Buffer | null;
};

const passedOn = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** The exit code; 128 and the signal's number when a signal ended it. */
export async function startProgram({ path, name, args, cwd, env, input }: Program): Promise<number> {
  // Listened for before anything is started: a signal in between must not leave the program behind without us.
  let child: ChildProcess | null = null;
  let early: NodeJS.Signals | null = null;
  const pass = (signal: NodeJS.Signals) => {
    if (child === null) early = signal;
    else child.kill(signal);
  };
  for (const signal of passedOn) process.on(signal, pass);
  try {
    const started = spawn(path, [...args], {
      argv0: name,
      cwd,
      env,
      stdio: [input === null ? "ignore" : "pipe", "inherit", "inherit"],
    });
    child = started;
    if (early !== null) started.kill(early);
    // A program that does not read all of its input is no failure.
    started.stdin?.on("error", () => {});
    started.stdin?.end(input);
    return await endOf(started, path);
  } finally {
    for (const signal of passedOn) process.off(signal, pass);
  }
}

function endOf(child: ChildProcess, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      const message = `${path} could not be started (${error.code}); the yes is used up. Ask again.`;
      reject(new HapError("invalid_input", message, { path }, error));
    });
    child.once("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals]));
  });
}
