// A store of its own, a person who decides in this process, and the real programs as processes.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectPerson, type PersonClient } from "@hap/sdk";
import { afterAll } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const hap = join(here, "../../../cli/bin/hap.mjs");
const root = join(here, "../../../..");

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** Run at the end of the test file, last first. */
export function later(step: () => unknown): void {
  undo.push(step);
}

export class McpWorld {
  readonly folder = mkdtempSync(join(tmpdir(), "hap-mcp-"));
  readonly dbPath = join(this.folder, "hap.db");
  readonly env: Record<string, string>;
  readonly person: Promise<PersonClient>;

  constructor(env: Record<string, string> = {}) {
    later(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(join(this.folder, "work"));
    this.env = {
      PATH: process.env.PATH ?? "",
      HOME: this.folder,
      XDG_CACHE_HOME: join(tmpdir(), "hap-cli-test-cache"),
      HAP_DB_PATH: this.dbPath,
      HAP_HUMAN_ID: "human:alex",
      HAP_AGENT_ID: "agent:ci",
      ...env,
    };
    this.person = connectPerson({ dbPath: this.dbPath, home: this.folder, person: "human:alex" });
    later(async () => (await this.person).close());
  }

  /** How a host starts `hap mcp`. */
  get command(): { command: string; args: string[]; env: Record<string, string>; cwd: string; stderr: "ignore" } {
    return { command: process.execPath, args: [hap, "mcp"], env: this.env, cwd: join(this.folder, "work"), stderr: "ignore" };
  }

  /** The HTTP server of the fixtures; returns its URL. */
  async http(): Promise<string> {
    const server = spawn(process.execPath, [join(here, "fixtures/http-server.mjs")], {
      env: this.env,
      cwd: join(this.folder, "work"),
      stdio: ["ignore", "pipe", "inherit"],
    });
    later(() => server.kill());
    const port = await new Promise<string>((resolve, reject) => {
      server.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
      server.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
    });
    return `http://127.0.0.1:${port}/mcp`;
  }

  /** Run a program of a package to its end. */
  async tool(path: string, args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
    const child = spawn(process.execPath, [join(root, "node_modules", path), ...args], {
      env: this.env,
      cwd: join(this.folder, "work"),
      stdio: ["ignore", "pipe", "pipe"],
    });
    return collect(child);
  }
}

async function collect(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk));
  child.stderr?.on("data", (chunk: Buffer) => (err += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, err };
}

/** Wait until something holds; the runner's own limit ends a wait that is in vain. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
