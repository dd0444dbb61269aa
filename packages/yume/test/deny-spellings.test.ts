// Further spellings of what rules forbid, and ordinary commands that the same rules leave alone. One test a list: a failure names
// the spellings that got through.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Gate } from "../src/permissions/gate.ts";
import { parseRules } from "../src/permissions/rules.ts";
import { bashTool } from "../src/tools/bash/bash.ts";
import { toolWorld } from "./support/tool-world.ts";

const list = (name: string) =>
  readFileSync(new URL(`fixtures/deny/${name}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
const ORDINARY = list("ordinary");

const world = toolWorld();
const { folder } = world;

beforeAll(() => {
  for (const name of ["priv", "src", "secrets", "scripts"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "priv", "key.txt"), "x");
  writeFileSync(join(folder, "secrets", "key"), "x");
  writeFileSync(join(folder, "src", "a.txt"), "x");
  writeFileSync(join(folder, ".env"), "x");
  symlinkSync(join(folder, "priv"), join(folder, "link"));
  writeFileSync(join(folder, "scripts", "build.sh"), "#!/bin/sh\nnpm run build\n");
  writeFileSync(join(folder, "scripts", "ship.sh"), "#!/usr/bin/env bash\nset -e\nif true; then git push; fi\n");
});

async function notForbidden(rule: string, commands: readonly string[]): Promise<string[]> {
  const gate = new Gate({
    mode: "bypassPermissions",
    dialect: "claude",
    roots: { cwd: folder, home: "/home/me" },
    rules: { allow: [], ask: [], deny: parseRules([rule]) },
    asker: () => null,
  });
  const passed: string[] = [];
  for (const command of commands)
    if (gate.judge(await bashTool.classify({ command }, world.context)).verdict !== "deny") passed.push(command);
  return passed;
}

describe("a rule that forbids", () => {
  it("[YUME-DENY-1] finds a command in every wrapper, expansion and text that a shell reads", async () => {
    expect(await notForbidden("Bash(git push:*)", [...list("push"), "git \\\npush"])).toEqual([]);
  });

  it("[YUME-DENY-1] looks into shell scripts, also ones that the command writes itself", async () => {
    const scripts = [
      "bash scripts/ship.sh",
      "./scripts/ship.sh",
      "source scripts/ship.sh",
      "cd scripts; echo 'git push' > x.sh; sh x.sh",
    ];
    expect(await notForbidden("Bash(git push:*)", scripts)).toEqual([]);
  });

  it("[YUME-DENY-2] finds a file under every name, glob, variable and list", async () => {
    expect(await notForbidden("Read(priv/**)", list("read"))).toEqual([]);
  });

  it("[YUME-DENY-3] finds every way to change a file", async () => {
    expect(await notForbidden("Edit(priv/**)", list("edit"))).toEqual([]);
  });

  it.each([
    "Bash(git push:*)",
    "Bash(rm -rf:*)",
    "Bash(sudo:*)",
    "Read(.env)",
    "Read(.env.*)",
    "Read(secrets/**)",
    "Edit(secrets/**)",
    "Read(~/.ssh/**)",
  ])("[YUME-DENY-4] leaves ordinary commands alone: %s", async (rule) => {
    writeFileSync(join(folder, ".gitignore"), ".env\nsecrets\npriv\nlink\n");
    execFileSync("git", ["init", "-q", "."], { cwd: folder });
    execFileSync("git", ["add", "-A"], { cwd: folder });
    const passed = await notForbidden(rule, ORDINARY);
    expect(ORDINARY.filter((command) => !passed.includes(command))).toEqual([]);
  });
});
