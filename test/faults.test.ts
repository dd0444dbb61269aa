// Disks that fill up, break or forbid writing, at any system call: a typed error, nothing acknowledged is lost, the log verifies.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HapEngine } from "@hap/core";
import { isHapError } from "@hap/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleFixture, nodePath } from "./support/bundle-fixture.ts";
import { needProgram } from "./support/system-package.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const folder = temporaryFolder();
let writer = "";
let made = 0;

beforeAll(async () => {
  needProgram("strace");
  writer = await bundleFixture("careful-writer", folder);
});

/** A store with a few tickets in it. */
function seededStore(): string {
  const path = join(folder, `store${made++}`, "hap.db");
  const engine = new HapEngine({ dbPath: path, home: folder });
  for (let at = 0; at < 3; at++)
    engine.createTicket({ to: "human:alex", kind: "run_command", summary: `before ${at}`, details: { command: "ls" } });
  engine.dispose();
  return path;
}

function run(command: string, args: string[]): Promise<{ status: number | null; lines: string[]; errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, lines: text.split("\n").filter((line) => line !== ""), errors }));
  });
}

/** Everything that was acknowledged is there, and the whole log verifies. */
function expectSound(path: string, lines: readonly string[]): void {
  const engine = new HapEngine({ dbPath: path, home: folder });
  try {
    for (const line of lines.filter((text) => text.startsWith("created ")))
      expect(engine.getTicket(line.split(" ")[1] ?? "").state).toBe("PENDING");
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    engine.createTicket({ to: "human:alex", summary: "afterwards" });
  } finally {
    engine.dispose();
  }
}

const straced = (inject: string, path: string, rest: string[] = []) =>
  run("strace", [
    "-f",
    "-qq",
    // The filter makes strace fast, but on newer kernels no signal is injected behind it.
    ...(inject.includes("signal=") ? [] : ["--seccomp-bpf"]),
    "-o",
    "/dev/null",
    ...rest,
    "-e",
    `inject=${inject}`,
    nodePath,
    writer,
    path,
    "6",
  ]);

describe("a fault at the n-th system call of a writer", () => {
  // Which of the two syncs SQLite uses depends on how it was built.
  const calls = ["pwrite64", "fsync,fdatasync"];
  const faults = ["error=ENOSPC", "error=EIO", "signal=SIGKILL"];
  const places = [1, 2, 3, 4, 6, 7];
  const cases = calls.flatMap((call) => faults.flatMap((fault) => places.map((place) => `${call}:${fault}:when=${place}`)));

  it(`[FAULT-SYSCALL-1] leaves a log that verifies and holds everything acknowledged, in ${cases.length} cases`, {
    timeout: 300_000,
  }, async () => {
    let faulted = 0;
    for (const inject of cases) {
      const path = seededStore();
      const { lines, status } = await straced(inject, path, ["-e", `trace=${inject.split(":")[0]}`]);
      if (status !== 0 || lines.some((line) => line.startsWith("refused "))) faulted++;
      for (const line of lines)
        expect(line).toMatch(/^(ready|done|created tk_\S+|refused (store_full|store_read_only|store_unusable) .*)$/);
      expectSound(path, lines);
    }
    // Most places are inside the run; a fault that nothing met would prove nothing.
    expect(faulted).toBeGreaterThan(cases.length / 2);
  });
});

describe("a disk that does not take data", () => {
  it("[FAULT-DISK-1] is a typed error when it is full, and the log stays valid", async () => {
    const path = seededStore();
    const { lines } = await run("sh", ["-c", `ulimit -f 400; exec "${nodePath}" "${writer}" "${path}" 4000`]);
    expect(lines.at(-2)).toMatch(/^refused store_full .*hap\.db/);
    expectSound(path, lines);
  });

  it("[FAULT-DISK-1] is a typed error when it is mounted read-only", async () => {
    const path = seededStore();
    const opened = await straced("openat:error=EROFS", path, ["-P", path, "-e", "trace=openat"]);
    expect(opened.lines[0]).toMatch(/^refused store_(read_only|unusable) .*hap\.db/);
    const written = await straced("pwrite64:error=EROFS", path, ["-e", "trace=pwrite64"]);
    expect(written.lines.filter((line) => line.startsWith("refused "))[0]).toMatch(/^refused store_\w+ .*hap\.db/);
    expectSound(path, [...opened.lines, ...written.lines]);
  });
});

/** The code and words that opening and using a store fails with. */
function failure(work: () => unknown): { code: string; message: string } {
  try {
    work();
  } catch (error) {
    if (isHapError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("it did not fail");
}

describe("a store that cannot be used", () => {
  it("[FAULT-CORRUPT-1] names the file when its header or its pages are damaged", () => {
    const path = seededStore();
    for (const [at, bytes] of [
      [0, "garbage garbage garbage"],
      [4096, "\0".repeat(12_288)],
    ] as const) {
      const copy = join(folder, `corrupt${at}`, "hap.db");
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(path, copy);
      const file = openSync(copy, "r+");
      writeSync(file, bytes, at);
      const { code, message } = failure(() => {
        const engine = new HapEngine({ dbPath: copy, home: folder });
        try {
          engine.listAll();
          engine.createTicket({ to: "human:alex", summary: "x" });
        } finally {
          engine.dispose();
        }
      });
      expect(code).toMatch(/^(store_corrupt|integrity_violation)$/);
      expect(message).toContain(copy);
    }
  });

  it("[FAULT-CORRUPT-1] is no store when it is another kind of file, and is left alone", () => {
    const path = join(folder, "notes.txt");
    writeFileSync(path, "shopping list\n".repeat(100));
    expect(failure(() => new HapEngine({ dbPath: path, home: folder }))).toMatchObject({ code: "store_corrupt" });
    expect(readFileSync(path, "utf8")).toBe("shopping list\n".repeat(100));
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it("[FAULT-LOCKED-1] is busy, after a bounded time, while another process holds the lock", () => {
    const path = seededStore();
    const holder = new DatabaseSync(path);
    holder.exec("BEGIN IMMEDIATE");
    const engine = new HapEngine({ dbPath: path, home: folder, busyMs: 100 });
    const { code, message } = failure(() => engine.createTicket({ to: "human:alex", summary: "x" }));
    expect(code).toBe("store_busy");
    expect(message).toContain(path);
    holder.exec("ROLLBACK");
    expect(engine.createTicket({ to: "human:alex", summary: "x" }).state).toBe("PENDING");
    engine.dispose();
    holder.close();
  });

  it("[FAULT-NEWER-1] is refused and unchanged when a newer HAP wrote it", () => {
    const path = seededStore();
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version=99");
    newer.close();
    const before = readFileSync(path);
    expect(failure(() => new HapEngine({ dbPath: path, home: folder }))).toMatchObject({ code: "store_newer" });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("[STORE-NETFS-1] is refused on a network file system, by name", () => {
    const { code, message } = failure(
      () => new HapEngine({ dbPath: join(folder, "nfs", "hap.db"), home: folder, fileSystemType: () => 0x6969 }),
    );
    expect(code).toBe("store_unusable");
    expect(message).toContain("NFS");
  });

  it("[FAULT-DISK-1] says what to do when its folder cannot be made", () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    const { code, message } = failure(() => new HapEngine({ dbPath: join(file, "sub", "hap.db"), home: folder }));
    expect(code).toBe("store_unusable");
    expect(message).toContain("HAP_DB_PATH");
  });

  it("[STORE-MODE-1] is private: files 0600 in a folder 0700", () => {
    const path = seededStore();
    const engine = new HapEngine({ dbPath: path, home: folder });
    engine.createTicket({ to: "human:alex", summary: "x" });
    const modes = spawnSync("stat", ["-c", "%a", dirname(path), path, `${path}-wal`, `${path}-shm`, `${path}-bell`], {
      encoding: "utf8",
    }).stdout;
    expect(modes.trim().split("\n")).toEqual(["700", "600", "600", "600", "600"]);
    engine.dispose();
  });
});
