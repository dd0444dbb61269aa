// A hostile agent that tries to keep a gate path from being protected or found, or to have its own program run outside. As a user
// without rights: root ignores the modes of files.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NOBODY } from "../support/own-etc.ts";
import { needProgram } from "../support/system-package.ts";
import { ConfinedWorld } from "./confined-world.ts";

needProgram("bwrap", "bubblewrap");

function world(): ConfinedWorld {
  const made = new ConfinedWorld(NOBODY);
  made.write("package.json", "{}");
  made.write(".claude/settings.json", '{"x":1}');
  spawnSync("git", ["init", "-q"], { cwd: made.project });
  made.own();
  return made;
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};

test.each([
  ["takes away the right to list the project", "."],
  ["takes away the right to list git's folder", ".git"],
])("[CONFINE-HIDE-1] a command that %s hides nothing from the next one", async (_, folder) => {
  await using made = world();
  await made.confined(`git add -A; chmod 311 ${folder}`);
  const { out } = await made.confined(
    `git add -A; echo evil > .claude/settings.json; echo evil >> .git/config; mkdir -p x/.git; chmod 755 ${folder}`,
  );
  expect(made.read(".claude/settings.json")).toBe('{"x":1}');
  expect(made.read(".git/config")).not.toContain("evil");
  expect(out).toContain("quarantine");
  expect(made.has("x/.git")).toBe(false);
});

test("[CONFINE-ESCAPE-1] a folder outside that the host left open as a descriptor is out of reach", async () => {
  await using made = world();
  const hap = join(import.meta.dirname, "../../packages/cli/bin/hap.mjs");
  const command =
    "for p in /proc/self /proc/[0-9]*; do ls $p/fd/100/ && echo REACHED; echo evil > $p/fd/100/escaped; done; ls /proc/self/fd; echo done";
  const leave = ["bash", "-c", 'exec 100< "$HOME"; exec 7< /; exec 251< /etc; exec "$0" "$@"', process.execPath, hap];
  const { out } = await made.run([...leave, "run", "--confined", "--session", made.session, "--", command]);
  expect(out).toContain("done");
  expect(out).not.toContain("REACHED");
  expect(out).not.toMatch(/^(?:7|100|251)$/m);
  expect(existsSync(join(made.home, "escaped"))).toBe(false);
});

const PLANT = "mkdir .vscode && echo evil > .vscode/tasks.json";

test.each([
  ["makes it read-only", `${PLANT} && chmod 555 .vscode`, ".vscode"],
  ["makes the folder above read-only", `mkdir d && cd d && ${PLANT} && chmod 555 .`, "d/.vscode"],
  ["puts a pipe into it", `${PLANT} && mkfifo .vscode/pipe`, ".vscode"],
  [
    "makes folders whose path is too long to name",
    `${PLANT}; n=$(printf 'a%.0s' $(seq 200)); for i in $(seq 40); do mkdir $n && cd $n; done`,
    ".vscode",
  ],
])("[CONFINE-HIDE-1] a gate path is moved away although the command %s", async (_, attack, path) => {
  await using made = world();
  const { out } = await made.confined(attack);
  expect(out).toContain("quarantine");
  expect(made.has(path)).toBe(false);
  spawnSync("rm", ["-rf", made.project]);
});

test("[CONFINE-HIDE-1] a gate path is moved away although the host killed `hap run`", async () => {
  await using made = world();
  await made.confined("true");
  let pid = 0;
  const run = made.confined(`${PLANT}; touch made; sleep 1000`, { onStart: (started) => (pid = started) });
  await until(() => made.has("made"));
  process.kill(pid, "SIGKILL");
  await run;
  await until(() => !made.has(".vscode"));
  await until(() => existsSync(join(made.home, ".hap", "quarantine")));
  const { out } = await made.confined("echo next");
  expect(out).toContain("next");
});

test("[CONFINE-HIDE-1] the sandbox protects every path that the gate asks about", async () => {
  await using made = world();
  const paths = [
    ".devcontainer",
    ".opencode",
    ".exrc",
    ".nvim.lua",
    "lefthook.toml",
    "app.code-workspace",
    ".config/nvim",
    ".zed",
  ];
  const { out } = await made.confined(`mkdir -p .config; for name in ${paths.join(" ")}; do mkdir $name; done`);
  expect(out).toContain("quarantine");
  expect(paths.filter((path) => made.has(path))).toEqual([]);
});

test("[CONFINE-HIDE-1] a repository without the name .git loses its configuration and hooks", async () => {
  await using made = world();
  const { out } = await made.confined(
    "git init -q --bare sub && git -C sub config core.fsmonitor /tmp/evil && touch sub/hooks/update",
  );
  expect(out).toContain("quarantine");
  expect(readdirSync(join(made.project, "sub")).filter((name) => ["config", "hooks", "info"].includes(name))).toEqual([]);
  await made.confined("mkdir other; echo 'ref: refs/heads/x' > other/HEAD; echo ../sub > other/commondir");
  expect(made.has("other/commondir")).toBe(false);
});

test("[CONFINE-OWN-1] a program that a command put on the PATH does not run outside", async () => {
  await using made = world();
  made.write("bin/keep", "");
  made.own();
  const env = { PATH: `${join(made.project, "bin")}:${process.env.PATH}` };
  const pwned = join(made.folder, "pwned");
  mkdirSync(pwned);
  chmodSync(pwned, 0o777);
  const names = "git bash unshare nsenter setpriv ip bwrap node";
  const plant = `for p in ${names}; do printf '#!/bin/sh\\ntouch ${pwned}/'$p'\\n' > bin/$p; chmod +x bin/$p; done`;
  expect((await made.confined(plant, { env })).out).toContain("quarantine");
  // Of programs that a host starts by name none is left; others stay, and are not looked for there.
  expect(readdirSync(join(made.project, "bin")).sort()).toEqual(["keep", "node"]);
  await made.end();
  expect((await made.confined("echo again", { env })).out).toContain("again");
  expect(readdirSync(pwned)).toEqual([]);
});

test("[CONFINE-OWN-1] hap itself is read-only where it is installed in the project", async () => {
  await using made = world();
  const hap = join(made.project, "node_modules/hap");
  const packages = join(import.meta.dirname, "../../packages");
  for (const name of ["cli/bin", "cli/dist", "sdk/bin"]) cpSync(join(packages, name), join(hap, name), { recursive: true });
  made.own();
  const attack =
    "echo evil >> node_modules/hap/cli/bin/hap.mjs; echo evil >> node_modules/hap/sdk/bin/launch.mjs; mv node_modules/hap h2";
  const words = [process.execPath, join(hap, "cli/bin/hap.mjs"), "run", "--confined", "--", attack];
  const { out } = await made.run(words);
  expect(out).toContain("Read-only file system");
  for (const file of ["cli/bin/hap.mjs", "sdk/bin/launch.mjs"])
    expect(readFileSync(join(hap, file), "utf8")).toBe(readFileSync(join(packages, file), "utf8"));
});
