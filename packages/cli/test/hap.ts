// Drives the real program: each call is a process of its own, on a store in a temporary folder.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Ticket } from "@hap/protocol";
import { afterAll } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
/** The program's entry. */
export const HAP = join(here, "../bin/hap.mjs");

/** What a run left behind. */
export type Ran = { code: number | null; signal: string | null; out: string; err: string };
export type RunOptions = {
  input?: string | Buffer;
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Words before the program: what starts it. */
  inside?: readonly string[];
};
export type TerminalOptions = {
  columns?: number;
  rows?: number;
  replies?: { expect: string; send: string }[];
  /** Standard output and standard error go to files, and only the terminal device is the terminal. */
  apart?: boolean;
  env?: Record<string, string | undefined>;
};
type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** One store, one home, one person (human:alex unless told otherwise). */
export class World {
  readonly folder = mkdtempSync(join(tmpdir(), "hap-cli-"));
  readonly #env: Record<string, string | undefined>;

  constructor(env: Record<string, string | undefined> = {}) {
    mkdirSync(join(this.folder, "work"));
    this.#env = {
      PATH: process.env.PATH,
      HOME: this.folder,
      // Shared, so that each test file does not compile everything again.
      XDG_CACHE_HOME: join(tmpdir(), "hap-cli-test-cache"),
      HAP_DB_PATH: join(this.folder, "hap.db"),
      HAP_HUMAN_ID: "human:alex",
      TZ: "UTC",
      LANG: "C.UTF-8",
      ...env,
    };
    folders.push(this.folder);
  }

  get dbPath(): string {
    return join(this.folder, "hap.db");
  }

  /** The environment of every process of this world. */
  environment(more: Record<string, string | undefined> = {}): Record<string, string> {
    return defined({ ...this.#env, ...more });
  }

  /** Write a file and return its path. */
  file(name: string, content: string | Buffer): string {
    const path = join(this.folder, "work", name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** Start the program. It has no controlling terminal, whoever runs the tests. */
  start(args: readonly string[], options: RunOptions = {}): Child {
    const env = this.environment(options.env);
    const cwd = options.cwd ?? join(this.folder, "work");
    const [program = "", ...words] = [...(options.inside ?? []), process.execPath, HAP, ...args];
    const child = spawn(program, words, { env, cwd, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    // A program that does not read all of its input is no failure of the test.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    return child;
  }

  /** Run the program to its end. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return ended(this.start(args, options));
  }

  /** Run it, and give its standard output; a failure is the test's. */
  async ok(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const ran = await this.run(args, options);
    if (ran.code !== 0) throw new Error(`hap ${args.join(" ")} exited with ${ran.code}: ${ran.err}${ran.out}`);
    return ran.out;
  }

  /** Run it with --json, and give what it printed. */
  async json<T = Ticket>(args: readonly string[], options: RunOptions = {}): Promise<T> {
    return JSON.parse(await this.ok([...args, "--json"], options)) as T;
  }

  /** Open a ticket: something small and harmless, unless options say otherwise. */
  create(args: readonly string[] = [], options: RunOptions = {}): Promise<Ticket> {
    const summary = args.includes("--summary") ? [] : ["--summary", "Refactor auth middleware"];
    return this.json(["create", ...summary, ...args], options);
  }

  /** Run the program at a pseudo-terminal, typing replies. */
  async atTerminal(
    args: readonly string[],
    options: TerminalOptions = {},
  ): Promise<{ screen: string; code: number; out: string; err: string }> {
    const plan = {
      argv: [process.execPath, HAP, ...args],
      env: this.environment({ TERM: "xterm-256color", ...options.env }),
      cwd: join(this.folder, "work"),
      columns: options.columns ?? 80,
      rows: options.rows ?? 24,
      replies: options.replies ?? [],
      streams: options.apart ? this.folder : "pty",
    };
    const python = spawn("python3", [join(here, "fixtures/under-pty.py"), JSON.stringify(plan)], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    const ran = await ended(python);
    if (ran.code !== 0) throw new Error(`The pseudo-terminal failed: ${ran.err}`);
    const read = (name: string) => (options.apart ? readFileSync(join(this.folder, name), "utf8") : "");
    return { ...JSON.parse(ran.out), out: read("stdout"), err: read("stderr") };
  }
}

/** What begins an escape sequence. */
export const ESC = "\u001b";

/** What a terminal shows, without colours. */
export function bare(screen: string): string {
  return screen.replaceAll(new RegExp(`${ESC}\\[[0-9;?]*[a-zA-Z]`, "g"), "").replaceAll("\r", "");
}

/** Wait for a process. */
export async function ended(child: Child): Promise<Ran> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (...how) => resolve(how));
  });
  return { code, signal, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

function defined(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
