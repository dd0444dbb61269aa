// Drives the real programs: each call is a process of its own, on one store in a temporary folder.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const bins = {
  cueme: join(import.meta.dirname, "../bin/cueme.mjs"),
  hap: join(import.meta.dirname, "../../../cli/bin/hap.mjs"),
};

/** What a run left behind. */
export type Ran = { code: number | null; signal: string | null; out: string; err: string };
export type Running = { child: ChildProcessWithoutNullStreams; ended: Promise<Ran>; shown: () => string };
export type RunOptions = { input?: string | Buffer; env?: Record<string, string>; cwd?: string };

/** One store, one home, one person: human:alex. */
export class World {
  readonly folder = mkdtempSync(join(tmpdir(), "hap-cueme-"));
  readonly work = join(this.folder, "work");
  readonly dbPath = join(this.folder, "hap.db");

  constructor() {
    mkdirSync(this.work);
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  start(program: keyof typeof bins, args: readonly string[], options: RunOptions = {}): Running {
    return this.#run([process.execPath, bins[program], ...args], { ...this.#env(), ...options.env }, options);
  }

  #env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? "",
      HOME: this.folder,
      XDG_CACHE_HOME: join(tmpdir(), "hap-cli-test-cache"),
      HAP_DB_PATH: this.dbPath,
      HAP_HUMAN_ID: "human:alex",
      SHELL: "/bin/zsh",
      NO_COLOR: "1",
    };
  }

  /** Run `cueme` from a shell script, in which "$0" "$1" stand for it. */
  shell(script: string, input: string): Running {
    return this.#run(["sh", "-c", script, process.execPath, bins.cueme], this.#env(), { input });
  }

  #run([program = "", ...args]: readonly string[], env: NodeJS.ProcessEnv, options: RunOptions): Running {
    const child = spawn(program, args, { env, cwd: options.cwd ?? this.work, stdio: "pipe" });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    // A program that does not read all of its input is no failure of the test.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    const shown = () => Buffer.concat(out).toString();
    const ended = new Promise<Ran>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, out: shown(), err: Buffer.concat(err).toString() }));
    });
    return { child, ended, shown };
  }

  cueme(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return this.start("cueme", args, options).ended;
  }

  /** Run `hap` as the person; a failure is the test's. */
  async hap(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const ran = await this.start("hap", args, options).ended;
    if (ran.code !== 0) throw new Error(`hap ${args.join(" ")} exited with ${ran.code}: ${ran.err}${ran.out}`);
    return ran.out;
  }

  /** Join, and give the agent's id. */
  async join(runtime = "codex"): Promise<string> {
    const { out } = await this.cueme(["join", runtime]);
    return /^agent_id=(.*)$/m.exec(out)?.[1] ?? "";
  }
}

/** An envelope. */
export function envelope(prompt: string, payload?: unknown): string {
  const block = payload === undefined ? "" : `\n<cueme_payload>\n${JSON.stringify(payload)}\n</cueme_payload>\n`;
  return `<cueme_prompt>\n${prompt}\n</cueme_prompt>\n${block}`;
}
