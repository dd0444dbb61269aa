// One run: read, answer, write. Whatever goes wrong, a signal and its own deadline included, ends with the reason on standard
// error and exit code 2, which hosts take for no; where a host ignores that code, with a no in its own JSON.
import { read, realpathSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { handleEvent, onlyTells, type World } from "./handle-event.ts";
import { HookError } from "./hook-error.ts";
import { HOST_PATH, HOST_PROJECT } from "./hosts.ts";
import { type HookOptions, readOptions } from "./options.ts";
import { type HookEvent, LONGEST_INPUT, readEvent } from "./read-event.ts";
import { writeAnswer } from "./write/write-answer.ts";

/** What hosts take for a no. */
const CLOSED = 2;
/** How long the host may take to hand over its JSON. */
const INPUT_MS = 10_000;
/** What opening and answering may take on top of waiting for a person. */
const MARGIN_MS = 20_000;

type Run = { event: HookEvent | null; options: HookOptions | null; reading: boolean; ended: boolean };

/** Run the hook to the end of the process. */
export async function runHook(args: readonly string[]): Promise<void> {
  const run: Run = { event: null, options: null, reading: true, ended: false };
  const close = (reason: string): never => endClosed(run, reason);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => close(`It was stopped by ${signal}, so the call is refused.`));
  process.on("uncaughtException", (error) => close(reasonOf(error)));
  let deadline = setTimeout(() => close(`The host sent no input within ${INPUT_MS / 1000} s.`), INPUT_MS);
  try {
    run.options = readOptions(args);
    run.event = readEvent(await readInput());
    run.reading = false;
    clearTimeout(deadline);
    const limit = run.options.waitSeconds * 1000 + MARGIN_MS;
    deadline = setTimeout(() => close("The hook ran out of time, so the call is refused."), limit);
    const answer = await handleEvent(run.event, run.options, world());
    print(writeAnswer(run.options.host, run.event.name, answer));
    run.ended = true;
    process.exit(0);
  } catch (error) {
    close(reasonOf(error));
  } finally {
    clearTimeout(deadline);
  }
}

/** What the guard passes on of the host's environment is read as data, never used. */
function world(): World {
  const program = dirname(realpathSync(process.argv[1] ?? "."));
  return {
    home: homedir(),
    now: Date.now,
    path: process.env[HOST_PATH] ?? process.env.PATH ?? "",
    hostProject: process.env[HOST_PROJECT]?.startsWith("/") === true ? process.env[HOST_PROJECT] : null,
    own: [program, join(dirname(program), "dist"), process.execPath],
  };
}

/** Read standard input off the main thread, so that a host that never closes it cannot hold up the deadline. */
function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  const buffer = Buffer.allocUnsafe(65_536);
  let size = 0;
  return new Promise((resolve, reject) => {
    const next = () =>
      read(0, buffer, 0, buffer.length, null, (error, count) => {
        if (error !== null && error.code !== "EOF") return error.code === "EAGAIN" ? void setTimeout(next, 5) : reject(error);
        if (error !== null || count === 0) return resolve(Buffer.concat(chunks).toString("utf8"));
        chunks.push(Buffer.from(buffer.subarray(0, count)));
        size += count;
        if (size > LONGEST_INPUT) return reject(new HookError(`The host's JSON has more than ${LONGEST_INPUT} bytes.`));
        next();
      });
    next();
  });
}

function print(output: object): void {
  writeAll(1, `${JSON.stringify(output)}\n`);
}

/** Write all of it before the process ends; a pipe that is full takes a part at a time. */
function writeAll(stream: 1 | 2, text: string): void {
  let rest: string | Buffer = text;
  while (rest.length > 0) {
    try {
      const size: number = typeof rest === "string" ? writeSync(stream, rest) : writeSync(stream, rest);
      // What is left is counted in bytes; that nothing is left is by far the commonest case.
      if (size >= rest.length && isPlain(rest)) return;
      rest = Buffer.from(rest).subarray(size);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}

function isPlain(text: string | Buffer): boolean {
  return typeof text === "string" && /^[\n -~]*$/.test(text);
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  const message = error instanceof Error ? error.message : String(error);
  return typeof code === "string" && !message.includes(code) ? `${message} (${code})` : message;
}

/** End with the gate closed. */
function endClosed(run: Run, reason: string): never {
  if (run.ended) process.exit();
  run.ended = true;
  const words = `HAP refuses this call because the gate failed: ${reason} Run \`hap doctor\` to see what is wrong.`;
  const { event, options } = run;
  try {
    if (event !== null && options !== null && onlyTells(event.name)) {
      writeAll(2, `hap-hook: ${reason}\n`);
      print({});
      process.exit(0);
    }
    // There exit code 2 means nothing, and an answer counts.
    if (event?.name === "PermissionRequest" && options !== null) {
      print(writeAnswer(options.host, event.name, { decision: "deny", reason: words }));
      process.exit(0);
    }
    writeAll(2, `${words}\n`);
  } catch {
    // Nobody reads us; the exit code still says no.
  }
  if (run.reading) leaveReading();
  process.exit(CLOSED);
}

/** A thread that waits for input would keep the process; becoming another program ends it, with the same exit code. */
function leaveReading(): void {
  try {
    process.removeAllListeners("warning");
    process.execve?.("/bin/sh", ["sh", "-c", `exit ${CLOSED}`], {});
  } catch {
    // Not on this system: the process waits for its input to end.
  }
}
