// The way without bubblewrap: the same plan, by unshare and mount.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectKeeper, type Keeper } from "../src/confined/keeper-protocol.ts";
import { runConfined } from "../src/confined/run-confined.ts";
import { makeSessionFolder } from "../src/confined/session-folder.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "hap-userns-")));
const project = join(home, "project");
let keeper: Keeper;
const folder = makeSessionFolder(home, "userns");

beforeAll(async () => {
  mkdirSync(join(project, ".claude"), { recursive: true });
  writeFileSync(join(project, ".claude", "settings.json"), "{}");
  writeFileSync(join(home, "secret"), "SECRET");
  spawnSync("git", ["init", "-q"], { cwd: project });
  spawn(process.execPath, [fileURLToPath(new URL("fixtures/keep.ts", import.meta.url)), folder], { stdio: "ignore" });
  let found = await connectKeeper(folder);
  for (; found === null; found = await connectKeeper(folder)) await new Promise((resolve) => setTimeout(resolve, 20));
  keeper = found;
}, 60_000);

afterAll(async () => {
  await keeper.ask({ ask: "end" }).catch(() => {});
  keeper.close();
  rmSync(home, { recursive: true, force: true });
});

const run = (command: string) =>
  runConfined({
    command: `{ ${command}; } > out 2>&1`,
    cwd: project,
    project,
    home,
    env: { PATH: process.env.PATH },
    keeper,
    folder,
    quarantine: join(home, ".hap", "quarantine"),
    known: null,
    own: [],
    availability: { kind: "userns", disableUserns: false },
  });

test("[CONFINE-ESCAPE-1] without bubblewrap, gates are read-only, the host is hidden, and no capability is left", async () => {
  await run(
    `echo x > .claude/settings.json; mv .git g2; cat ${home}/secret; umount .claude; (echo x > /proc/sys/kernel/core_pattern) && echo ESCAPED; ls /proc/1/root && echo ESCAPED; unshare -Urm umount .claude && echo ESCAPED; grep CapEff /proc/self/status`,
  );
  const said = readFileSync(join(project, "out"), "utf8");
  expect(said).toContain("CapEff:\t0000000000000000");
  expect(said).not.toContain("ESCAPED");
  expect(said).not.toContain("SECRET");
  expect(readFileSync(join(project, ".claude", "settings.json"), "utf8")).toBe("{}");
});

test("[CONFINE-GIT-1] without bubblewrap, git commits", async () => {
  const { code } = await run("git add out && git -c user.name=a -c user.email=b commit -qm x");
  expect(code).toBe(0);
});
