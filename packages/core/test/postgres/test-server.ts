// A real PostgreSQL for tests: found, or installed where this runs as root, and started as an unprivileged user on a free port in a
// temporary folder, with the durability of production.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

const HOW_TO = "Install PostgreSQL 14 or newer, for example: apt-get update && apt-get install -y postgresql";

/** The folder of PostgreSQL's programs. */
function findBinaries(): string | null {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(root, version, "bin")), ...(process.env.PATH ?? "").split(":")];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres"))) ?? null;
}

function binaries(): string {
  const found = findBinaries();
  if (found !== null) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const options = { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
    execFileSync("apt-get", ["update"], options);
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "postgresql"], options);
  }
  const installed = findBinaries();
  if (installed === null) throw new Error(`These tests need PostgreSQL. ${HOW_TO}`);
  return installed;
}

/** A user that PostgreSQL agrees to run as: this one, or `nobody` in place of root. */
export function account(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  return { uid: Number(execFileSync("id", ["-u", "nobody"])), gid: Number(execFileSync("id", ["-g", "nobody"])) };
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** A running PostgreSQL. */
export class TestServer {
  readonly port: number;
  readonly #folder: string;
  readonly #bin: string;
  #process: ChildProcess | null = null;
  #databases = 0;

  private constructor(bin: string, folder: string, port: number) {
    this.#bin = bin;
    this.#folder = folder;
    this.port = port;
  }

  /** `bin`: the folder of the programs of another version than the one installed. */
  static async start(bin = binaries()): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), "hap-pg-"));
    const user = account();
    if ("uid" in user) chownSync(folder, user.uid, user.gid);
    const options = ["-D", join(folder, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"];
    execFileSync(join(bin, "initdb"), options, { ...user, stdio: "ignore", cwd: folder });
    const server = new TestServer(bin, folder, await freePort());
    await server.resume();
    return server;
  }

  /** A streaming standby of the server at this port. */
  static async standbyOf(port: number): Promise<TestServer> {
    const bin = binaries();
    const folder = mkdtempSync(join(tmpdir(), "hap-pg-"));
    const user = account();
    if ("uid" in user) chownSync(folder, user.uid, user.gid);
    const options = [
      "-h",
      "127.0.0.1",
      "-p",
      String(port),
      "-U",
      "postgres",
      "-D",
      join(folder, "data"),
      "-R",
      "-X",
      "stream",
      "-c",
      "fast",
    ];
    const copying = spawn(join(bin, "pg_basebackup"), options, { ...user, stdio: "ignore", cwd: folder });
    const code = await new Promise((resolve) => copying.once("exit", resolve));
    if (code !== 0) throw new Error(`pg_basebackup ended with ${code}.`);
    const server = new TestServer(bin, folder, await freePort());
    await server.resume();
    return server;
  }

  /** Start, or start again after `kill`. */
  async resume(): Promise<void> {
    const options = [
      "-D",
      join(this.#folder, "data"),
      "-p",
      String(this.port),
      "-k",
      this.#folder,
      "-c",
      "listen_addresses=127.0.0.1",
    ];
    const child = spawn(join(this.#bin, "postgres"), options, { ...account(), stdio: "ignore", cwd: this.#folder });
    this.#process = child;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}. ${HOW_TO}`);
      if (await this.#answers()) return;
    }
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url("postgres") });
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return false;
    }
  }

  url(database: string, port = this.port): string {
    return `postgres://postgres@127.0.0.1:${port}/${database}`;
  }

  /** A new database; returns its address. */
  async database(): Promise<string> {
    const name = `hap_${process.pid}_${++this.#databases}`;
    await this.run("postgres", `CREATE DATABASE ${name}`);
    return this.url(name);
  }

  /** Run a statement as the superuser. */
  async run(database: string, sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: database.includes("://") ? database : this.url(database) });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** End it as a crash would: no shutdown, no checkpoint. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    // Its own children see that it is gone, and end.
    child.kill("SIGKILL");
    await ended;
    this.#process = null;
    rmSync(join(this.#folder, "data", "postmaster.pid"), { force: true });
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child !== null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGINT");
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
