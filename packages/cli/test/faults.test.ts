// Errors and faults: one line that says what to do, an exit code by kind, and never a stack trace.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { ended, HAP, type RunOptions, World } from "./hap.ts";

const world = new World();

describe("[CLI-ERROR-1] how errors look", () => {
  test("one line that says what to do, on standard error, without a stack", async () => {
    const ran = await world.run(["show", "tk_000000000000000000000"]);
    expect(ran.out).toBe("");
    expect(ran.err).toBe("hap: There is no ticket tk_000000000000000000000. `hap list --all` shows those that you may see.\n");
  });

  test("[EXIT-USAGE-1] wrong usage exits 2 and points to the help", async () => {
    for (const [args, says] of [
      [["approve"], /missing required argument 'ID'\n`hap approve --help`/],
      [["inbox", "--loud"], /unknown option '--loud'\n`hap inbox --help`/],
      [["aprove", "x"], /unknown command 'aprove'[\s\S]*Did you mean approve[\s\S]*`hap --help` shows/],
      [["policy", "chek"], /unknown command 'chek'/],
      [["wait", "tk_abc", "extra"], /too many arguments/],
      [["create", "--kind"], /argument missing/],
    ] as const) {
      const ran = await world.run(args);
      expect(ran, args.join(" ")).toMatchObject({ code: 2, out: "" });
      expect(ran.err).toMatch(says);
    }
    expect(await world.run(["policy"])).toMatchObject({ code: 2, out: "", err: expect.stringContaining("Usage: hap policy") });
    expect(await world.run([])).toMatchObject({ code: 2, out: "", err: expect.stringContaining("Usage: hap") });
  });
});

describe("two deciders", () => {
  test("[DECIDE-RACE-1] one wins, and the other learns who, what and when", async () => {
    const { id } = await world.create();
    const ran = await Promise.all([world.run(["approve", id, "--json"]), world.run(["reject", id, "--json"])]);
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 5]);
    const [winner, loser] = ran[0]?.code === 0 ? ran : [ran[1], ran[0]];
    const { outcome, at } = JSON.parse(winner?.out ?? "").resolution;
    const told = JSON.parse(loser?.err ?? "").error;
    expect(told.code).toBe("already_decided");
    expect(told.message).toContain(`${outcome} by human human:alex at ${at}`);
  });

  test("a decision after the deadline names the deadline", async () => {
    const { id } = await world.create(["--ttl", "1s"]);
    await world.ok(["wait", id]).catch(() => {});
    const ran = await world.run(["approve", id, "--json"]);
    expect(ran.code).toBe(5);
    expect(JSON.parse(ran.err).error).toMatchObject({ code: "deadline_passed", fields: { ticket_id: id } });
  });
});

describe("a store that cannot be used", () => {
  const broken = (options: RunOptions, args: string[] = ["inbox", "--json"]) => world.run(args, options);

  test("[FAULT-CORRUPT-1] a damaged file is named, and nothing is a stack trace", async () => {
    const path = world.file("damaged.db", "this is no database, whatever its name says ".repeat(100));
    const ran = await broken({ env: { HAP_DB_PATH: path } });
    expect(ran).toMatchObject({ code: 7, out: "" });
    expect(JSON.parse(ran.err).error).toMatchObject({ code: "store_corrupt", message: expect.stringContaining(path) });
    const verified = await broken({ env: { HAP_DB_PATH: path } }, ["verify"]);
    expect(verified).toMatchObject({ code: 1, out: expect.stringMatching(/^Event log integrity: FAILED \(/) });
  });

  test("a path that is a folder, or below a file, is named", async () => {
    for (const path of [world.folder, `${world.file("plain.txt", "x")}/hap.db`]) {
      const ran = await broken({ env: { HAP_DB_PATH: path } });
      expect(ran.code).toBe(7);
      expect(JSON.parse(ran.err).error.message).toContain(path);
    }
  });

  test("[FAULT-NEWER-1] a store of a newer version is refused, and not changed", async () => {
    const apart = new World();
    await apart.create();
    const database = new DatabaseSync(apart.dbPath);
    database.exec("PRAGMA user_version = 999");
    database.close();
    const ran = await apart.run(["inbox", "--json"]);
    expect(ran).toMatchObject({ code: 7, out: "" });
    expect(JSON.parse(ran.err).error).toMatchObject({ code: "store_newer", message: expect.stringContaining("Update HAP") });
  });

  test.skipIf(!existsSync("/dev/full"))("output that cannot be written is told in one line", async () => {
    const { id } = await world.create();
    const child = spawn("bash", ["-c", `'${process.execPath}' '${HAP}' show ${id} > /dev/full`], {
      env: { HOME: world.folder, HAP_DB_PATH: world.dbPath, PATH: process.env.PATH },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const ran = await ended(child);
    expect(ran).toMatchObject({
      code: 70,
      err: expect.stringMatching(/^hap: Standard output cannot be written \(ENOSPC\)[^\n]*\n$/),
    });
  });

  test("an unexpected error is one line and a hint, and its stack only where it was asked for", async () => {
    const gone = join(world.folder, "work", "gone");
    const script = `mkdir -p '${gone}'; cd '${gone}'; rmdir '${gone}'; '${process.execPath}' '${HAP}' create --summary x`;
    const env = { HOME: world.folder, HAP_DB_PATH: world.dbPath, PATH: process.env.PATH };
    const run = (more: object) =>
      ended(spawn("bash", ["-c", script], { env: { ...env, ...more }, stdio: ["pipe", "pipe", "pipe"] }));
    const ran = await run({});
    expect(ran).toMatchObject({ code: 70, out: "" });
    expect(ran.err).toMatch(/^hap: Something unexpected went wrong: ENOENT[^\n]*\nRun it again with HAP_DEBUG=1[^\n]*\n$/);
    expect((await run({ HAP_DEBUG: "1" })).err).toContain("\n    at ");
  });

  test("[POLICY-BAD-1] a policy that does not parse is an error that names it, not an absent policy", async () => {
    const apart = new World();
    await apart.create();
    const path = apart.file("../.hap/policy.json", "{ not json");
    const ran = await apart.run(["create", "--summary", "x", "--json"]);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(JSON.parse(ran.err).error).toMatchObject({ code: "invalid_policy", message: expect.stringContaining(path) });
  });
});
