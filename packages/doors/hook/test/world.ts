// A home, a project under version control, a store, and the real hook as hosts start it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ticket } from "@hap/protocol";
import { connectPerson, type PersonClient } from "@hap/sdk/person";
import { afterAll } from "vitest";

/** The program, as it is installed. */
export const HOOK = fileURLToPath(new URL("../bin/hap-hook.cjs", import.meta.url));

/** What a run of the hook left behind; `said` is its JSON. */
export type Ran = { code: number | null; signal: string | null; out: string; err: string; said: Said };
type Said = {
  hookSpecificOutput?: {
    hookEventName: string;
    permissionDecision?: string;
    permissionDecisionReason?: string;
    updatedInput?: Record<string, unknown>;
    decision?: { behavior: string; message?: string; updatedInput?: unknown };
    action?: string;
    content?: unknown;
  };
};
/** `inside`: words of a program that starts the hook. */
type RunOptions = { env?: Record<string, string>; argv?: readonly string[]; input?: string; inside?: readonly string[] };

assertCurrentBundle();

/** The bundle is run without a look at its sources, so a test of an old one would prove nothing. */
function assertCurrentBundle(): void {
  const bundle = join(dirname(HOOK), "..", "dist");
  const built = statSync(join(bundle, "sources.json")).mtimeMs;
  const sources = JSON.parse(readFileSync(join(bundle, "sources.json"), "utf8")) as string[];
  const newer = sources.find((source) => statSync(join(bundle, source)).mtimeMs > built);
  if (newer !== undefined) throw new Error(`The bundle is older than ${newer}. Run \`npm run prepare\` first.`);
}

/** Here, since nothing that a test makes while it runs can say what is done after all of them. */
const worlds: World[] = [];
afterAll(async () => {
  for (const world of worlds) await world.remove();
});

export class World {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "hap-hook-")));
  readonly project = join(this.home, "app");
  readonly store = join(this.home, "hap.db");
  #person: PersonClient | null = null;

  constructor() {
    mkdirSync(join(this.project, ".git"), { recursive: true });
    mkdirSync(join(this.project, "src"));
    this.write("src/a.ts", "export const a = 1;\n");
    worlds.push(this);
  }

  async remove(): Promise<void> {
    await this.#person?.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Write a file of the project; returns its path. */
  write(name: string, text: string): string {
    const path = join(this.project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Write the user's or the project's policy. */
  policy(whose: "user" | "project", rules: object[]): void {
    const folder = join(whose === "user" ? this.home : this.project, ".hap");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "policy.json"), JSON.stringify({ version: 1, rules }));
  }

  /** Start the hook; standard input is left open when `input` is null. */
  start(host: "claude" | "codex", payload: object | string | null, options: RunOptions = {}): ChildProcess {
    const args = [HOOK, host, ...(options.argv ?? ["--store", this.store, "--to", "human:alex"])];
    const env = { HOME: this.home, PATH: "/usr/local/bin:/usr/bin:/bin", ...options.env };
    const [program = "", ...before] = [...(options.inside ?? []), process.execPath];
    const child = spawn(program, [...before, ...args], { env, cwd: this.project, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin?.on("error", () => {});
    if (payload !== null) child.stdin?.end(typeof payload === "string" ? payload : JSON.stringify(payload));
    return child;
  }

  /** Run the hook to its end. */
  async run(host: "claude" | "codex", payload: object | string, options: RunOptions = {}): Promise<Ran> {
    return ended(this.start(host, payload, options));
  }

  /** Run it while a person answers the ticket that it opens. */
  async runWith(
    host: "claude" | "codex",
    payload: object,
    answer: (person: PersonClient, ticket: Ticket) => Promise<unknown>,
    options: RunOptions = {},
  ): Promise<Ran> {
    const running = this.run(host, payload, options);
    const ticket = await this.nextTicket();
    await answer(await this.person(), ticket);
    return running;
  }

  /** The person of these tests. */
  async person(): Promise<PersonClient> {
    this.#person ??= await connectPerson({ person: "human:alex", dbPath: this.store, home: this.home });
    return this.#person;
  }

  /** The open ticket, once there is one. */
  async nextTicket(): Promise<Ticket> {
    const person = await this.person();
    for (;;) {
      const [ticket] = (await person.inbox()).tickets;
      if (ticket !== undefined) return ticket;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Every ticket, newest first. */
  async tickets(): Promise<Ticket[]> {
    return (await (await this.person()).list()).tickets;
  }
}

/** Wait for a process, and read what it said. */
export async function ended(child: ChildProcess): Promise<Ran> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (...how) => resolve(how));
  });
  const text = Buffer.concat(out).toString();
  const said = text === "" ? {} : (JSON.parse(text) as Said);
  return { code, signal, out: text, err: Buffer.concat(err).toString(), said };
}

/** The decision and its reason, whichever event it answers. */
export function decided({ said }: Ran): { decision: string | undefined; reason: string } {
  const specific = said.hookSpecificOutput;
  return {
    decision: specific?.permissionDecision ?? specific?.decision?.behavior,
    reason: specific?.permissionDecisionReason ?? specific?.decision?.message ?? "",
  };
}
