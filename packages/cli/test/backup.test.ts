// hap backup on a store that real processes write to, and what becomes of files that are copied by hand meanwhile.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { World } from "./hap.ts";

const writer = fileURLToPath(new URL("../../../test/fixtures/writer.ts", import.meta.url));
const writing: ChildProcess[] = [];
afterEach(async () => {
  for (const child of writing.splice(0)) {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }
});

/** Start two processes that write until they are killed; returns once both have written. */
async function keepWriting(world: World): Promise<void> {
  for (const name of ["one", "two"]) {
    const child = spawn(process.execPath, [writer, world.dbPath, name], { stdio: ["ignore", "pipe", "inherit"] });
    writing.push(child);
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (chunk: Buffer) => chunk.includes("approved") && resolve());
      child.once("exit", () => reject(new Error("the writer ended")));
    });
  }
}

/** Let the writers rest while something else is looked at: they take all of a small machine. */
const pause = (signal: "SIGSTOP" | "SIGCONT") => {
  for (const child of writing) child.kill(signal);
};

const hashAt = (path: string, seq: number) => {
  const database = new DatabaseSync(path);
  const row = database.prepare("SELECT hash FROM events WHERE seq=?").get(seq);
  database.close();
  return row?.hash;
};

test("[STORE-BACKUP-1] a copy of a store that is being written verifies, holds one moment of it, and is private", async () => {
  const world = new World();
  await keepWriting(world);
  for (const name of ["first.db", "second.db"]) {
    const copy = join(world.folder, "work", name);
    pause("SIGCONT");
    const report = await world.json<{ events: number; head: string; bytes: number; path: string }>(["backup", name]);
    pause("SIGSTOP");
    expect(report).toMatchObject({ path: copy, bytes: statSync(copy).size });
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(hashAt(world.dbPath, report.events)).toBe(report.head);
    expect(hashAt(copy, report.events + 1)).toBeUndefined();
    const verified = await world.run(["verify"], { env: { HAP_DB_PATH: copy } });
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining(`OK (${report.events} events verified)`) });
  }
  expect(readdirSync(join(world.folder, "work")).filter((name) => name.includes("partial"))).toEqual([]);
});

test("[STORE-BACKUP-1] replaces nothing, and leaves nothing where it fails", async () => {
  const world = new World();
  await world.create();
  const taken = world.file("taken.db", "mine");
  expect(await world.run(["backup", taken])).toMatchObject({ code: 2, err: expect.stringContaining("exists") });
  expect(statSync(taken).size).toBe(4);
  expect((await world.run(["backup", "no/such/folder/x.db"])).err).toContain("cannot be written (ENOENT)");
  expect((await world.run(["backup", "x.db"], { env: { HAP_DB_PATH: join(world.folder, "none.db") } })).err).toContain(
    "no store",
  );
  expect((await world.run(["backup", "x.db"], { env: { HAP_URL: "http://127.0.0.1:1" } })).err).toContain("server's own machine");
  expect((await world.run(["backup", "x.db"], { env: { HAP_AGENT_ID: "agent:x" } })).err).toContain("agents do not");
  const database = new DatabaseSync(world.dbPath);
  database.exec("UPDATE tickets SET state='APPROVED'");
  database.close();
  const forged = await world.run(["backup", "x.db"]);
  expect(forged).toMatchObject({ code: 7, err: expect.stringContaining("The copy does not verify, so no backup was made") });
  expect(readdirSync(join(world.folder, "work"))).toEqual(["taken.db"]);
});

test("[STORE-BACKUP-1] leaves nothing on a disk that is too small for it", async () => {
  if (process.getuid?.() !== 0) throw new Error("This test mounts a small disk: run it as root, sudo npm test");
  const world = new World();
  await world.create();
  const disk = mkdtempSync(join(tmpdir(), "hap-small-"));
  expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]).status).toBe(0);
  try {
    expect(await world.run(["backup", join(disk, "copy.db")])).toMatchObject({ code: 6, err: expect.stringContaining("disk") });
    expect(readdirSync(disk)).toEqual([]);
  } finally {
    spawnSync("umount", [disk]);
    rmSync(disk, { recursive: true });
  }
});

test("[STORE-BACKUP-2] files copied by hand while others write are an older state that verifies, or are refused in words", async () => {
  const world = new World();
  await keepWriting(world);
  for (let round = 0; round < 6; round++) {
    const copy = join(world.folder, `copied-${round}.db`);
    // Once with the log of writes and once without, in either order: what `cp` and file synchronisers do.
    const ends = [["", "-wal"], ["-wal", ""], [""]][round % 3] as string[];
    pause("SIGCONT");
    for (const end of ends) if (existsSync(world.dbPath + end)) copyFileSync(world.dbPath + end, copy + end);
    pause("SIGSTOP");
    const ran = await world.run(["verify"], { env: { HAP_DB_PATH: copy } });
    expect([0, 1], `${ran.err}${ran.out}`).toContain(ran.code);
    expect(ran.err).not.toMatch(/unexpected|\n {4}at /);
    const events = Number(/OK \((\d+) events/.exec(ran.out)?.[1] ?? 0);
    if (ran.code === 0 && events > 0) {
      // A writer may have been stopped between writing a commit, which was copied, and showing it to others.
      pause("SIGCONT");
      await expect.poll(() => hashAt(world.dbPath, events), { timeout: 30_000 }).toBe(hashAt(copy, events));
      pause("SIGSTOP");
    }
    if (ran.code === 1) expect(ran.out).toMatch(/FAILED/);
  }
});
