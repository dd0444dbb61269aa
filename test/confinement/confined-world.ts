// A home with secrets, a project with gates, sockets of a host, and the real `hap run --confined`, as root or as another user.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connectKeeper, sessionFolder } from "@hap/sandbox";
import { connectPerson } from "@hap/sdk/person";
import { nodePath, repoRoot } from "../support/bundle-fixture.ts";
import { asUser } from "../support/own-etc.ts";

export const SECRET = "SECRET-of-the-person";
const HAP = join(repoRoot, "packages", "cli", "bin", "hap.mjs");

export type Ran = { code: number | null; signal: NodeJS.Signals | null; out: string };

export class ConfinedWorld {
  readonly folder = mkdtempSync(join(tmpdir(), "hap-confined-"));
  readonly home = join(this.folder, "home");
  readonly project = join(this.home, "project");
  readonly session: string;
  readonly #user: number;
  readonly #servers: Server[] = [];

  constructor(user: number) {
    this.#user = user;
    this.session = `test-${user}-${process.pid}`;
    chmodSync(this.folder, 0o755);
    for (const path of ["project", "other", ".ssh", ".hap", ".cache/pip", ".cargo/bin", ".npm"])
      mkdirSync(join(this.home, path), { recursive: true });
    for (const path of [".ssh/id_rsa", ".hap/hap.db.secret", "other/file", ".npm/token", ".cargo/credentials.toml"])
      this.write(`../${path}`, SECRET);
    this.write("../.bashrc", "# mine\n");
  }

  /** Everything belongs to the user from here on. */
  own(): void {
    const { status } = spawnSync("chown", ["-R", `${this.#user}:${this.#user}`, this.folder]);
    if (status !== 0) throw new Error("These tests give folders to another user: run them as root.");
  }

  write(path: string, text: string, mode = 0o644): void {
    const whole = join(this.project, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text, { mode });
  }

  read(path: string): string {
    return readFileSync(join(this.project, path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.project, path));
  }

  get env(): Record<string, string> {
    return {
      HOME: this.home,
      PATH: `${join(this.home, ".cargo/bin")}:${process.env.PATH}`,
      HAP_DB_PATH: join(this.home, ".hap", "hap.db"),
      HAP_HUMAN_ID: "human:alex",
      // HAP's own cache of compiled code; inside, the variable is another.
      XDG_CACHE_HOME: join(tmpdir(), `hap-confined-test-cache-${this.#user}`),
      MY_TOKEN: SECRET,
      LANG: "C.UTF-8",
    };
  }

  /** Run a program as the user, to its end. */
  run(
    words: readonly string[],
    more: { cwd?: string; env?: Record<string, string>; onStart?: (pid: number) => void } = {},
  ): Promise<Ran> {
    const [program, args] = asUser(this.#user, words);
    const child = spawn(program, args, {
      cwd: more.cwd ?? this.project,
      env: { ...this.env, ...more.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const out: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => out.push(chunk));
    if (child.pid !== undefined) more.onStart?.(child.pid);
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      // What is left running holds the pipes: the end of the program counts.
      child.once("exit", (code, signal) => setTimeout(() => resolve({ code, signal, out: Buffer.concat(out).toString() }), 20));
    });
  }

  /** Run a command confined, in this world's session. */
  confined(
    command: string,
    more: Parameters<ConfinedWorld["run"]>[1] & { session?: string | null; project?: string } = {},
  ): Promise<Ran> {
    const session = more.session === undefined ? this.session : more.session;
    const words = [
      nodePath,
      HAP,
      "run",
      "--confined",
      ...(session === null ? [] : ["--session", session]),
      ...(more.project === undefined ? [] : ["--project", more.project]),
    ];
    return this.run([...words, "--", command], more);
  }

  /** End the session as the host's end does. */
  async end(session = this.session): Promise<void> {
    const folder = sessionFolder(this.home, session);
    const keeper = await connectKeeper(folder);
    if (keeper === null) return;
    await keeper.ask({ ask: "end" });
    while (existsSync(folder)) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Sockets on which the host listens; whoever connects reads the secret. */
  async listen(where: { path: string } | { port: number; host: string }): Promise<number> {
    const server = createServer((socket) => socket.end(`${SECRET}\n`));
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(where, resolve));
    if ("path" in where && !where.path.startsWith("\0")) chmodSync(where.path, 0o777);
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Titles of open tickets. */
  async tickets(): Promise<{ summary: string; kind: string; priority: string; details: Record<string, unknown> }[]> {
    const person = await connectPerson({ dbPath: this.env.HAP_DB_PATH as string, person: "human:alex" });
    try {
      const { tickets } = await person.list({ limit: 100 });
      return tickets.map(({ intent, priority }) => ({
        summary: intent.summary,
        kind: intent.kind,
        priority,
        details: intent.details as Record<string, unknown>,
      }));
    } finally {
      await person.close();
    }
  }

  /** Every file of a folder by its content; what a confined command may not change. */
  print(path: string): Record<string, string> {
    const found: Record<string, string> = {};
    const look = (at: string) => {
      const stat = lstatSync(at);
      if (stat.isDirectory()) for (const name of readdirSync(at)) look(join(at, name));
      else
        found[at] = stat.isSymbolicLink()
          ? `-> ${readlinkSync(at)}`
          : stat.isFile()
            ? createHash("sha256").update(readFileSync(at)).digest("hex")
            : "special";
    };
    if (existsSync(path)) look(path);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    for (const server of this.#servers) server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
