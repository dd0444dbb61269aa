// A disk without a byte left: people still read what waits, the server says that it takes nothing, and both recover.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "./hap.ts";

const disk = mkdtempSync(join(tmpdir(), "hap-full-"));
const world = new World({ HAP_DB_PATH: join(disk, "hap.db") });
const filler = join(disk, "filler");

beforeAll(() => {
  if (process.getuid?.() !== 0) throw new Error("This test mounts a small disk: run it as root, sudo npm test");
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], { encoding: "utf8" });
  if (status !== 0) throw new Error(`a small disk could not be mounted: ${stderr}`);
});
afterAll(() => {
  spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Write until nothing more fits. */
function fill(): void {
  for (let part = 0; part < 3000; part++)
    try {
      writeFileSync(filler, Buffer.alloc(1024), { flag: "a" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOSPC") return;
      throw error;
    }
  throw new Error("the disk never filled");
}

test("[FULL-DISK-1] hap inbox and hap show show tickets undelivered, and deliver them once there is space", async () => {
  const { id } = await world.create(["--summary", "Read me anyway"]);
  fill();
  const shown = await world.run(["inbox"]);
  expect(shown).toMatchObject({ code: 0, out: expect.stringContaining("Read me anyway") });
  expect(shown.err).toContain("These tickets are not delivered, and their leases have not started. The disk is full");
  expect(await world.run(["show", id])).toMatchObject({ code: 0, out: expect.stringContaining("Read me anyway") });
  expect(await world.json<{ state: string }[]>(["inbox"])).toMatchObject([{ state: "PENDING" }]);
  expect(await world.run(["verify"])).toMatchObject({ code: 0, out: expect.stringContaining("OK") });
  // What changes anything is refused, and says why.
  expect(await world.run(["approve", id])).toMatchObject({ code: 6, err: expect.stringMatching(/disk/) });
  rmSync(filler);
  expect(await world.json<{ state: string }[]>(["inbox"])).toMatchObject([{ state: "DELIVERED" }]);
  expect(await world.run(["verify"])).toMatchObject({ code: 0 });
});

test("[FULL-DISK-2] /readyz says 503 while the disk takes no write, and 200 again when it does", async () => {
  const child = world.start(["serve", "--port", "0"]);
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let said = "";
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk;
        const found = /HAP listens on (\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once("exit", () => reject(new Error(`it does not listen: ${said}`)));
    });
    fill();
    const ready = async () => {
      const response = await fetch(`${url}/readyz`);
      return [response.status, await response.json()];
    };
    expect(await ready()).toEqual([503, { status: "not_writable", problem: "store_full" }]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    rmSync(filler);
    expect(await ready()).toMatchObject([200, { status: "ready" }]);
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill();
    await ended;
  }
});
