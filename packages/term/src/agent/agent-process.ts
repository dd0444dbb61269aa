// An agent as a process of its own group: lines in, lines out, standard error to a log. It is never trusted to end by itself.
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, type WriteStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { killGroup, killMarked, MARK_NAME } from "../processes/process-groups.ts";
import { within } from "../processes/within.ts";
import type { AgentEnd, AgentLink, AgentReply } from "./agent-link.ts";

/** A longer line is no response; it is dropped as it streams. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;
const SETTLE_MS = 5;
/** An agent's exit follows the end of its output within moments. One that goes on without output has crashed all the same. */
const END_MS = 2_000;
const LARGEST_LOG_BYTES = 32 * 1024 * 1024;

export type AgentProcessOptions = {
  /** A command line for the system's shell. */
  command: string;
  cwd: string;
  mark: string;
  logPath: string;
  /** Called with what the agent writes to standard error. */
  onLog?: ((text: string) => void) | undefined;
  /** How long it may clean up by itself, and then after SIGTERM. */
  graceMs?: number;
  env?: NodeJS.ProcessEnv;
};

/** A running agent. */
export class AgentProcess implements AgentLink {
  readonly #options: AgentProcessOptions;
  readonly #child: ChildProcess;
  readonly #log: WriteStream;
  readonly #lines: AgentReply[] = [];
  #partial: Buffer[] = [];
  #partialBytes = 0;
  #logged = 0;
  #talksTwice = false;
  #outputClosed = false;
  #end: { exitCode: number | null; signal: string | null } | null = null;
  #startError: Error | null = null;
  /** Several may wait: an answer that nobody needs any more, and the end. */
  readonly #waiting = new Set<() => void>();

  constructor(options: AgentProcessOptions) {
    this.#options = options;
    this.#log = createWriteStream(options.logPath, { flags: "a" });
    const child = spawn("/bin/sh", ["-c", options.command], {
      cwd: options.cwd,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...(options.env ?? process.env), [MARK_NAME]: options.mark },
    });
    this.#child = child;
    // A request to an agent that is gone: its end says so.
    child.stdin?.on("error", () => {});
    child.stdout?.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stdout?.on("close", () => {
      // A last line counts without its newline too.
      if (this.#partialBytes > 0) this.#finishLine();
      this.#outputClosed = true;
      this.#wake();
    });
    child.stderr?.on("data", (chunk: Buffer) => this.#writeLog(chunk));
    child.on("error", (error) => {
      this.#startError = error;
      this.#wake();
    });
    child.on("exit", (exitCode, signal) => {
      this.#end = { exitCode, signal };
      this.#wake();
    });
  }

  async ask(line: string, timeoutMs: number): Promise<AgentReply> {
    this.#dropUnasked();
    if (this.#talksTwice) {
      // An agent that answers twice is given a moment to do so; otherwise its second line would pass for the next answer.
      await sleep(SETTLE_MS);
      this.#dropUnasked();
    }
    if (this.#end === null) this.#child.stdin?.write(`${line}\n`);
    return this.#answer(timeoutMs);
  }

  async stop(): Promise<AgentEnd> {
    // Nobody would read what an agent without output still had to say.
    const grace = this.#outputClosed ? Math.min(END_MS, this.#options.graceMs ?? END_MS) : (this.#options.graceMs ?? 5_000);
    this.#child.stdin?.end();
    // Standard output is read on, so that an agent which still writes does not block.
    let bySelf = await this.#ended(grace);
    if (!bySelf) {
      killGroup(this.#child.pid, "SIGTERM");
      bySelf = false;
      await this.#ended(Math.min(grace, 1_000));
    }
    killGroup(this.#child.pid, "SIGKILL");
    await killMarked(this.#options.mark);
    await this.#ended(2_000);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    await new Promise<void>((resolve) => this.#log.end(resolve));
    return { exitCode: this.#end?.exitCode ?? null, signal: this.#end?.signal ?? null, bySelf };
  }

  /** What came unasked belongs to an older request. */
  #dropUnasked(): void {
    for (const _ of this.#lines.splice(0)) {
      this.#talksTwice = true;
      this.#note("an extra line was ignored: one response a request");
    }
  }

  /** A line of the harness in the agent's log. */
  #note(text: string): void {
    this.#writeLog(Buffer.from(`[term] ${text}\n`));
  }

  async #answer(timeoutMs: number): Promise<AgentReply> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const first = this.#lines.shift();
      if (first !== undefined) return first;
      if (this.#startError !== null) return { kind: "gone", how: `could not be started: ${this.#startError.message}` };
      if (this.#outputClosed) return { kind: "gone", how: await this.#describeEnd() };
      const left = deadline - performance.now();
      if (left <= 0) return { kind: "timeout" };
      await this.#changed(left);
    }
  }

  /** Its output is closed; the exit may arrive a moment later. */
  async #describeEnd(): Promise<string> {
    await this.#ended(END_MS);
    if (this.#end === null) return "closed its standard output without ending";
    const { exitCode, signal } = this.#end;
    return signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  }

  async #ended(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (this.#end === null && this.#startError === null && performance.now() < deadline)
      await this.#changed(deadline - performance.now());
    return this.#end !== null;
  }

  async #changed(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    await within(promise, timeoutMs);
    this.#waiting.delete(resolve);
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
      this.#keep(rest.subarray(0, end));
      this.#finishLine();
      rest = rest.subarray(end + 1);
    }
    this.#keep(rest);
  }

  #keep(part: Buffer): void {
    this.#partialBytes += part.length;
    if (this.#partialBytes > LONGEST_LINE_BYTES) this.#partial = [];
    else if (part.length > 0) this.#partial.push(part);
  }

  #finishLine(): void {
    const bytes = this.#partialBytes;
    const line = Buffer.concat(this.#partial).toString("utf8");
    this.#partial = [];
    this.#partialBytes = 0;
    if (bytes > LONGEST_LINE_BYTES) this.#lines.push({ kind: "oversize", bytes });
    else if (line.trim() !== "") this.#lines.push({ kind: "line", line });
    this.#wake();
  }

  #writeLog(chunk: Buffer): void {
    this.#options.onLog?.(chunk.toString("utf8"));
    if (this.#logged > LARGEST_LOG_BYTES) return;
    this.#logged += chunk.length;
    this.#log.write(this.#logged > LARGEST_LOG_BYTES ? "\n[term] The log ends here: it is too large.\n" : chunk);
  }
}
