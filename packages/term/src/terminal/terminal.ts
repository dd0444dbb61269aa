// One persistent shell in a real pseudo-terminal: commands run one after another, folders, variables and jobs last (D29).
// The end of a command is seen by the prompt's mark in the stream; nothing is guessed from silence.
import { randomBytes } from "node:crypto";
import { foregroundGroup, killGroup } from "../processes/process-groups.ts";
import { within } from "../processes/within.ts";
import { TermError } from "../term-error.ts";
import { CommandFile, writeControlFiles } from "./control-files.ts";
import { CutMiddle } from "./cut-middle.ts";
import { FindMarks, type Mark } from "./find-marks.ts";
import { keyBytes } from "./key-names.ts";
import { type IPty, spawn } from "./pty.ts";
import type { Screen } from "./screen.ts";
import { type TerminalOptions, type TerminalResult, TIMEOUT_EXIT_CODE } from "./terminal-options.ts";
import { TextFilter } from "./text-filter.ts";

/** On a busy machine a container of a large image takes more than 20 s to start. One that exits is noticed at once. */
const START_MS = 90_000;
/** How long a command may take to stop after Ctrl-C, and its group to die after a kill. */
const INTERRUPT_MS = 1_000;
const KILL_MS = 3_000;

/** A shell that stays. Calls must not overlap. */
export class Terminal {
  readonly #options: TerminalOptions;
  readonly #commandFile: CommandFile;
  readonly #nonce = randomBytes(12).toString("hex");
  #marks = new FindMarks(this.#nonce);
  #pty: IPty | null = null;
  readonly #closing = Promise.withResolvers<void>();
  #closed = false;
  #filter = new TextFilter();
  #output: CutMiddle | null = null;
  #screen: Screen | null = null;
  #number = 0;
  #goSeen = 0;
  #prompts = 0;
  #atPrompt = false;
  #exitCode = 0;
  #cwd: string;
  #lastFolder = "/";
  #diedWith: number | null = null;
  #shellGroup: number | null = null;
  #echoes = false;
  #beforeGo = "";
  #wake: () => void = () => {};

  private constructor(options: TerminalOptions) {
    this.#options = options;
    this.#cwd = options.launch.cwd;
    writeControlFiles(options.launch.control.host, options.launch.control.inside, this.#nonce);
    this.#commandFile = new CommandFile(options.launch.control.host);
  }

  /** Start a shell and wait for its first prompt. */
  static async start(options: TerminalOptions): Promise<Terminal> {
    const terminal = new Terminal(options);
    await terminal.#spawn();
    return terminal;
  }

  /** The folder that the shell was in at its last prompt. */
  get cwd(): string {
    return this.#cwd;
  }

  /** The process that holds the terminal; everything in a sandbox dies with it. */
  get pid(): number | undefined {
    return this.#pty?.pid;
  }

  /** Run a command until the shell's next prompt, at most `timeoutMs`. */
  async run(command: string, timeoutMs: number): Promise<TerminalResult> {
    const revived = await this.#revive();
    if (!this.#atPrompt) {
      const output = "[term] A program still has the terminal. Send it keystrokes, for example C-c, before the next command.";
      return { output, exitCode: 1, cwd: this.#cwd, end: "done", omittedBytes: 0 };
    }
    this.#options.recording?.note(`$ ${command}`);
    const result = await this.#run(command, timeoutMs);
    return revived === null ? result : { ...result, output: joinLines(revived, result.output) };
  }

  /** Type keys, each followed by its wait, and give back what was shown meanwhile. */
  async type(keys: readonly { keystrokes: string; duration: number }[], timeoutMs: number): Promise<TerminalResult> {
    await this.#revive();
    const { Screen: ScreenClass } = await import("./screen.ts");
    this.#screen ??= new ScreenClass(this.#options.size);
    this.#collect();
    const prompts = this.#prompts;
    const deadline = performance.now() + timeoutMs;
    for (const { keystrokes, duration } of keys) {
      const bytes = keyBytes(keystrokes, this.#screen.applicationKeys);
      if (bytes.includes("\n") || bytes.includes("\r")) this.#atPrompt = false;
      this.#options.recording?.input(bytes);
      this.#pty?.write(bytes);
      await within(this.#closing.promise, Math.max(0, Math.min(duration * 1000, deadline - performance.now())));
    }
    await this.#screen.write("");
    const { text, omittedBytes } = this.#finish();
    const output = this.#screen.fullScreen ? this.#screen.text() : text;
    const exitCode = this.#atPrompt && this.#prompts > prompts ? this.#exitCode : null;
    const end = performance.now() >= deadline ? "timeout" : "done";
    return { output, exitCode, cwd: this.#cwd, end, omittedBytes, screen: this.#screen.view() };
  }

  /** End the shell and everything that holds on to its terminal. What left it is the caller's to find. */
  async close(): Promise<void> {
    if (!this.#closed) this.#commandFile.close();
    this.#closed = true;
    this.#closing.resolve();
    this.#wake();
    const held = this.#pty;
    this.#pty = null;
    if (held === null) return;
    const exited = new Promise<void>((resolve) => held.onExit(() => resolve()));
    for (const group of [foregroundGroup(held.pid), this.#shellGroup, held.pid]) killGroup(group, "SIGKILL");
    await within(exited, KILL_MS);
    this.#screen?.dispose();
  }

  async #spawn(): Promise<void> {
    const { launch, size } = this.#options;
    this.#marks = new FindMarks(this.#nonce);
    this.#atPrompt = false;
    const prompts = this.#prompts;
    this.#collect();
    const started = spawn(launch.file, launch.args, {
      name: "xterm-256color",
      cols: size.columns,
      rows: size.rows,
      cwd: launch.hostCwd,
      env: launch.env,
      encoding: null,
    });
    this.#pty = started;
    // With `encoding: null` the data are bytes, whatever the declared type says.
    started.onData((data) => this.#read(data as unknown as Buffer));
    started.onExit(({ exitCode, signal }) => {
      if (this.#pty !== started) return;
      this.#pty = null;
      this.#diedWith = signal ? 128 + signal : exitCode;
      this.#wake();
    });
    const ready = await this.#until(
      () => this.#prompts > prompts,
      START_MS,
      () => this.#pty === null,
    );
    if (!ready) {
      const { text } = this.#finish();
      throw new TermError(
        "terminal_failed",
        `The shell did not start in ${launch.cwd} (${launch.file}): ${text.trim() || "no output"}`,
      );
    }
    this.#shellGroup = foregroundGroup(started.pid);
  }

  async #run(command: string, timeoutMs: number): Promise<TerminalResult> {
    const { inside } = this.#options.launch.control;
    this.#commandFile.write(`${command}\n`);
    const number = ++this.#number;
    this.#atPrompt = false;
    this.#diedWith = null;
    this.#beforeGo = "";
    this.#output = null;
    const repair = this.#echoes ? "stty sane -echo; " : "";
    this.#pty?.write(`__term_go $? ${number}; ${repair}. '${inside}/command'; __term_keep $?\n`);
    const over = () => this.#goSeen === number && this.#atPrompt;
    const ended = await this.#until(over, timeoutMs, () => this.#diedWith !== null);
    if (this.#closed) return { output: "", exitCode: null, cwd: this.#cwd, end: "died", omittedBytes: 0 };
    if (this.#diedWith !== null) return this.#afterDeath(this.#diedWith);
    if (!ended) return this.#afterTimeout(timeoutMs);
    const { text, omittedBytes } = this.#finish();
    return { output: text, exitCode: this.#exitCode, cwd: this.#cwd, end: "done", omittedBytes };
  }

  /** The output so far, and a shell that is free again: Ctrl-C first, then a kill, then a new shell. */
  async #afterTimeout(timeoutMs: number): Promise<TerminalResult> {
    const back = () => this.#atPrompt || this.#pty === null;
    this.#pty?.write("\u0003");
    if (!(await this.#until(back, INTERRUPT_MS))) {
      await this.#stop("command");
      if (!(await this.#until(back, KILL_MS))) {
        await this.#stop("shell");
        await this.#until(back, KILL_MS);
      }
    }
    const { text, omittedBytes } = this.#finish();
    const lost = this.#diedWith !== null || !this.#atPrompt;
    if (lost) await this.#restart();
    const note = `[term] The command was stopped after ${timeoutMs / 1000} s.${lost ? ` The shell had to be replaced by a new one in ${this.#cwd}.` : ""}`;
    return { output: joinLines(text, note), exitCode: TIMEOUT_EXIT_CODE, cwd: this.#cwd, end: "timeout", omittedBytes };
  }

  async #afterDeath(exitCode: number): Promise<TerminalResult> {
    await this.#until(() => this.#atPrompt || this.#pty === null, KILL_MS);
    const { text, omittedBytes } = this.#finish();
    const note = await this.#replace(exitCode);
    return { output: joinLines(text, note), exitCode, cwd: this.#cwd, end: "died", omittedBytes };
  }

  /** A shell may also end between two commands; then there is a new one before the next, and a line that says so. */
  async #revive(): Promise<string | null> {
    const exitCode = this.#diedWith;
    if (exitCode === null || this.#closed) return null;
    await this.#until(() => this.#atPrompt || this.#pty === null, KILL_MS);
    return this.#replace(exitCode);
  }

  async #replace(exitCode: number): Promise<string> {
    await this.#restart();
    return `[term] The shell ended with exit code ${exitCode}. A new one was started in ${this.#cwd}; variables and functions of the old one are gone.`;
  }

  /** A shell in the folder where the old one was. The pseudo-terminal is replaced only when it is gone or stuck. */
  async #restart(): Promise<void> {
    const folder = this.#lastFolder;
    if (this.#pty === null || !this.#atPrompt) {
      const stuck = this.#pty;
      this.#pty = null;
      if (stuck !== null)
        for (const group of [foregroundGroup(stuck.pid), this.#shellGroup, stuck.pid]) killGroup(group, "SIGKILL");
      await this.#spawn();
    } else this.#shellGroup = foregroundGroup(this.#pty.pid);
    this.#diedWith = null;
    if (folder !== this.#cwd) await this.#run(`cd -- ${quote(folder)} 2>/dev/null; true`, KILL_MS);
    this.#output = null;
  }

  /** End the shell, or the group in the foreground unless it is the shell's own. */
  async #stop(what: "command" | "shell"): Promise<void> {
    const { stop } = this.#options.launch;
    if (stop !== undefined) return stop(what);
    const front = this.#pty === null ? null : foregroundGroup(this.#pty.pid);
    if (what === "shell") killGroup(this.#shellGroup, "SIGKILL");
    else if (front !== this.#shellGroup) killGroup(front, "SIGKILL");
  }

  #read(chunk: Buffer): void {
    if (this.#closed) return;
    for (const part of this.#marks.write(chunk)) {
      if ("mark" in part) this.#note(part.mark);
      else {
        this.#options.recording?.output(part.bytes);
        if (this.#screen !== null) void this.#screen.write(part.bytes);
        if (this.#output !== null) this.#output.write(this.#filter.write(part.bytes));
        else if (this.#beforeGo.length < 1000) this.#beforeGo += part.bytes.toString("latin1");
      }
    }
  }

  #note(mark: Mark): void {
    if (mark.kind === "go") {
      this.#goSeen = mark.number;
      // A program left the terminal with echo on: what was typed came back. It is put right with the next command.
      this.#echoes = this.#beforeGo.includes("__term_go");
      this.#collect();
    } else if (mark.kind === "died") {
      this.#diedWith = mark.exitCode;
      this.#lastFolder = this.#cwd;
      this.#atPrompt = false;
    } else {
      this.#exitCode = mark.exitCode;
      if (this.#diedWith === null) this.#lastFolder = mark.cwd;
      this.#cwd = mark.cwd;
      this.#prompts++;
      this.#atPrompt = true;
    }
    this.#wake();
  }

  #collect(): void {
    this.#filter = new TextFilter();
    this.#output = new CutMiddle(this.#options.outputLimitBytes);
  }

  /** The text so far. Messages of the shell name the file that it read; to the agent that file is the shell. */
  #finish(): { text: string; omittedBytes: number } {
    const { text, omittedBytes } = this.#output?.read() ?? { text: "", omittedBytes: 0 };
    this.#output = null;
    const file = `${this.#options.launch.control.inside}/command`;
    const shown = text.replaceAll(`bash: ${file}`, "bash").replaceAll(file, "bash");
    return { text: shown.endsWith("\n") ? shown.slice(0, -1) : shown, omittedBytes };
  }

  /** True when `reached` within the time; false when it is over or `hopeless`. */
  async #until(reached: () => boolean, timeoutMs: number, hopeless: () => boolean = () => false): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (!reached()) {
      const left = deadline - performance.now();
      if (left <= 0 || this.#closed || hopeless()) return false;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await within(promise, left);
    }
    return true;
  }
}

function joinLines(text: string, note: string): string {
  return text === "" || text.endsWith("\n") ? `${text}${note}` : `${text}\n${note}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
