// A PgBouncer in transaction mode in front of a test's PostgreSQL: found, or installed where this runs as root.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { account, freePort } from "./test-server.ts";

const PROGRAM = "/usr/sbin/pgbouncer";

function install(): void {
  if (existsSync(PROGRAM)) return;
  if (process.getuid?.() !== 0) throw new Error("These tests need PgBouncer, for example: apt-get install -y pgbouncer");
  const options = { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
  execFileSync("apt-get", ["update"], options);
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "pgbouncer"], options);
}

/** A running PgBouncer with few connections, which all its clients share. */
export class PgBouncer {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#process = child;
  }

  static async before(target: number): Promise<PgBouncer> {
    install();
    const folder = mkdtempSync(join(tmpdir(), "hap-bouncer-"));
    const port = await freePort();
    writeFileSync(join(folder, "users.txt"), '"postgres" ""\n');
    writeFileSync(
      join(folder, "pgbouncer.ini"),
      `[databases]
* = host=127.0.0.1 port=${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 3
`,
    );
    const user = account();
    if ("uid" in user) chownSync(folder, user.uid, user.gid);
    const child = spawn(PROGRAM, [join(folder, "pgbouncer.ini")], { ...user, stdio: "ignore", cwd: folder });
    const bouncer = new PgBouncer(port, folder, child);
    for (;;) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
      const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` });
      client.on("error", () => {});
      try {
        await client.connect();
        await client.end();
        return bouncer;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    if (this.#process.exitCode === null) {
      this.#process.kill("SIGINT");
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
