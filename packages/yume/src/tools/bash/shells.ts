// The shells of a run: one command at a time in the foreground, others in the background until they end or are killed.
// Everything that was started ends with the run.
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CommandSandbox } from "@hap/sandbox";
import type { Workspace } from "../../permissions/workspace.ts";
import { OutputKeeper } from "./output-keeper.ts";
import { endGroup, signalGroup } from "./process-group.ts";

export type Ended = {
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  aborted: boolean;
  output: string;
  cwdNote: string;
};
export type Background = {
  id: string;
  command: string;
  child: ChildProcess;
  keeper: OutputKeeper;
  status: "running" | "completed" | "failed" | "killed";
  exitCode: number | null;
  ended: Promise<void>;
};

export type ShellsOptions = {
  workspace: Workspace;
  env: NodeJS.ProcessEnv;
  /** Where long outputs go. */
  outputs: string;
  sandbox: CommandSandbox | null;
};

/** After a shell has ended, how long what it left behind may still speak. */
const LINGER_MS = 250;

export class Shells {
  readonly #options: ShellsOptions;
  readonly #background = new Map<string, Background>();
  readonly #groups = new Set<number>();
  #count = 0;
  #cwd: string;

  constructor(options: ShellsOptions) {
    this.#options = options;
    this.#cwd = options.workspace.cwd;
  }

  /** Where the next command runs: where the last one ended, while that is in the workspace. */
  get cwd(): string {
    return this.#cwd;
  }

  /** The environment of commands. */
  get env(): NodeJS.ProcessEnv {
    return this.#options.env;
  }

  get(id: string): Background | undefined {
    return this.#background.get(id);
  }

  ids(): string[] {
    return [...this.#background.keys()];
  }

  /** Run a command to its end, its time limit, or the signal. */
  run(command: string, timeoutMs: number, signal: AbortSignal): Promise<Ended> {
    const { child, keeper } = this.#start(command, true);
    return new Promise((resolve, reject) => {
      let timedOut = false;
      let cwd = "";
      child.stdio[3]?.on("data", (chunk: Buffer) => {
        cwd = (cwd + chunk.toString()).slice(-8_192);
      });
      const stop = () => endGroup(child);
      const timer = setTimeout(() => {
        timedOut = true;
        stop();
      }, timeoutMs);
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      child.on("error", (error) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        reject(error);
      });
      child.on("exit", (exitCode, exitSignal) => {
        clearTimeout(timer);
        const finish = () => {
          clearTimeout(lingering);
          signal.removeEventListener("abort", stop);
          child.stdout?.destroy();
          child.stderr?.destroy();
          keeper.close();
          const cwdNote = this.#follow(cwd.trim());
          resolve({ exitCode, signal: exitSignal, timedOut, aborted: signal.aborted, output: keeper.text(), cwdNote });
        };
        // Something in the background may hold the pipe open for ever.
        const lingering = setTimeout(finish, LINGER_MS);
        child.once("close", finish);
      });
    });
  }

  /** Start a command in the background. */
  startBackground(command: string, timeoutMs: number | null): Background {
    const { child, keeper } = this.#start(command, false);
    const id = `bash_${++this.#count}`;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const shell: Background = { id, command, child, keeper, status: "running", exitCode: null, ended };
    const timer = timeoutMs === null ? undefined : setTimeout(() => this.kill(id), timeoutMs).unref();
    const end = (status: "completed" | "failed", exitCode: number | null) => {
      clearTimeout(timer);
      if (shell.status === "running") shell.status = status;
      shell.exitCode = exitCode;
      keeper.close();
      resolve();
    };
    child.on("error", (error) => {
      keeper.add(Buffer.from(`${error.message}\n`));
      end("failed", null);
    });
    child.on("close", (code) => end(code === 0 ? "completed" : "failed", code));
    this.#background.set(id, shell);
    return shell;
  }

  kill(id: string): boolean {
    const shell = this.#background.get(id);
    if (shell?.status !== "running") return false;
    shell.status = "killed";
    endGroup(shell.child);
    return true;
  }

  /** End everything that any command left. */
  close(): void {
    for (const pid of this.#groups) signalGroup(pid, "SIGKILL");
    this.#groups.clear();
  }

  #start(command: string, tellCwd: boolean): { child: ChildProcess; keeper: OutputKeeper } {
    const { sandbox, env, outputs } = this.#options;
    const script = tellCwd ? `trap 'pwd -P >&3' EXIT\neval "$1"` : 'eval "$1"';
    const plain =
      process.platform === "win32"
        ? { file: env.COMSPEC ?? "cmd.exe", args: ["/d", "/s", "/c", command] }
        : { file: shellProgram(), args: ["-c", script, "bash", command] };
    const { file, args, environment } =
      sandbox === null ? { ...plain, environment: env } : sandbox.wrap(plain.file, plain.args, this.#cwd, env);
    // Loaded with the first command: it costs every start that runs none.
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = spawn(file, args, {
      cwd: this.#cwd,
      env: environment,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe", tellCwd ? "pipe" : "ignore"],
    });
    if (child.pid !== undefined) this.#groups.add(child.pid);
    const keeper = new OutputKeeper(join(outputs, `${Date.now()}-${++this.#count}.txt`));
    child.stdout?.on("data", (chunk: Buffer) => keeper.add(chunk));
    child.stderr?.on("data", (chunk: Buffer) => keeper.add(chunk));
    return { child, keeper };
  }

  /** Go where the command went, but never out of the workspace. */
  #follow(cwd: string): string {
    if (cwd === "" || cwd === this.#cwd || !existsSync(cwd)) return "";
    if (this.#options.workspace.holds(this.#options.workspace.resolve(cwd))) {
      this.#cwd = cwd;
      return "";
    }
    this.#cwd = this.#options.workspace.cwd;
    return `The shell's folder was set back to ${this.#cwd}: ${cwd} lies outside the workspace.`;
  }
}

let program: string | undefined;

function shellProgram(): string {
  program ??= ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find((path) => existsSync(path)) ?? "/bin/sh";
  return program;
}
