// hap bridge -- COMMAND: runs an agent, passes its output through untouched, and answers its questions on its standard input.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { HapError, quote } from "@hap/protocol";
import { type AgentClient, connectAgent } from "@hap/sdk/agent";
import { EnvelopeScanner } from "../scanner.ts";
import { passEndOn } from "./pass-end-on.ts";
import { RunLock } from "./run-lock.ts";
import { type Asking, Switchboard } from "./switchboard.ts";

/** How a bridge is run. */
export type BridgeOptions = {
  to: string | undefined;
  timeoutSeconds: number | null;
  /** Go on with the last run of the same command in the same folder, even if it came to its end. */
  resume: boolean;
  /** Hold envelopes to the original's schema, and answer with its error codes. */
  strict: boolean;
  cwd: string;
  home: string;
  input: Readable;
  output: Writable;
  warn: (text: string) => void;
};

type Child = ChildProcessByStdio<Writable, Readable, null>;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Run the command to its end; returns its exit code, or 128 and the number of the signal that ended it. */
export async function runBridge(command: readonly string[], options: BridgeOptions): Promise<number> {
  const label = command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
  const { client, release } = await beginRun(label, options);
  try {
    const child = await start(command, options);
    const code = await serve(client, child, options);
    await client.leave(code > 128 ? "The agent was ended by a signal." : `The agent exited with code ${code}.`);
    return code;
  } finally {
    release();
    await client.close();
  }
}

/** A new run, or the one of this command in this folder that never came to its end (D27). */
export async function beginRun(
  label: string,
  options: Pick<BridgeOptions, "resume" | "cwd" | "home">,
): Promise<{ client: AgentClient; release: () => void }> {
  const lock = new RunLock(options.home, options.cwd, label);
  const alone = lock.take();
  if (options.resume && !alone)
    throw new HapError("store_busy", `A bridge for this command runs in ${options.cwd} already; it cannot be resumed twice.`);
  const probe = await connectAgent();
  try {
    // One that runs beside another is nobody's last run: whoever holds the lock may not take it for an unfinished one.
    const about = { agent_runtime: "bridge", project_dir: options.cwd, label: alone ? label : `${label} (${process.pid})` };
    const { agent } = await probe.join({
      ...about,
      ...(options.resume ? { resume: "last" } : alone ? { resume: "unfinished" } : {}),
    });
    return { client: await connectAgent({ agent }), release: () => alone && lock.release() };
  } catch (error) {
    if (alone) lock.release();
    throw error;
  } finally {
    await probe.close();
  }
}

function start([program = "", ...args]: readonly string[], { cwd }: BridgeOptions): Promise<Child> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "inherit"] });
    child.once("spawn", () => resolve(child));
    child.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "ENOENT" ? "there is no such program" : error.code === "EACCES" ? "it may not be run" : error.message;
      reject(new HapError("invalid_input", `${quote(program)} cannot be started: ${why}.`, { field: "COMMAND" }, error));
    });
  });
}

async function serve(client: AgentClient, child: Child, options: BridgeOptions): Promise<number> {
  const { to, timeoutSeconds, strict } = options;
  const asking: Asking = { to, timeoutSeconds, strict, project: options.cwd };
  const switchboard = new Switchboard(client, asking, options.warn);
  const replies: Promise<unknown>[] = [];
  const failed = (error: unknown) => options.warn(error instanceof Error ? error.message : String(error));
  const reply = (envelope: object) => writeLine(child.stdin, JSON.stringify(envelope));
  const scanner = new EnvelopeScanner();
  const decoder = new TextDecoder("utf-8");
  const take = (found: ReturnType<EnvelopeScanner["push"]>) => {
    for (const one of found) replies.push(switchboard.take(one, reply).catch(failed));
  };
  // An agent that reads no more is no failure of ours.
  child.stdin.on("error", () => {});
  child.stdout.on("data", (chunk: Buffer) => {
    if (!options.output.write(chunk)) {
      child.stdout.pause();
      options.output.once("drain", () => child.stdout.resume());
    }
    take(scanner.push(decoder.decode(chunk, { stream: true })));
  });
  child.stdout.once("end", () => take(scanner.end()));
  const stopForwarding = forwardLines(options.input, child.stdin, (hadInput) =>
    passEndOn(child, { hadInput, waiting: () => switchboard.waiting }),
  );
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  const code = await new Promise<number>((resolve) => {
    child.once("close", (status, signal) => resolve(status ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  for (const signal of SIGNALS) process.off(signal, pass);
  stopForwarding();
  switchboard.close();
  await Promise.all(replies);
  return code;
}

function writeLine(stream: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${line}\n`, (error) =>
      error ? reject(new Error("the agent reads no more; its answer waits", { cause: error })) : resolve(),
    );
  });
}

/** Pass whole lines on, so that no reply lands inside one; `ended` is told when the input ends, and returns how to stop that. */
function forwardLines(from: Readable, to: Writable, ended: (hadInput: boolean) => () => void): () => void {
  let rest: Buffer = Buffer.alloc(0);
  let hadInput = false;
  let stop = () => {};
  const onData = (chunk: Buffer) => {
    hadInput = true;
    const all = Buffer.concat([rest, chunk]);
    const end = all.lastIndexOf(0x0a) + 1;
    if (end > 0) to.write(all.subarray(0, end));
    rest = all.subarray(end);
  };
  const onEnd = () => {
    if (rest.length > 0) to.write(Buffer.concat([rest, Buffer.from("\n")]));
    stop = ended(hadInput);
  };
  from.on("data", onData);
  from.once("end", onEnd);
  return () => {
    from.off("data", onData);
    from.off("end", onEnd);
    from.pause();
    stop();
  };
}
