// Ordinary work inside `hap run --confined`: toolchains of the caller, git, servers that stay, exit codes, signals, folders.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sessionFolder } from "@hap/sandbox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WITHOUT_NAMESPACES } from "../support/no-sandbox.ts";
import { NOBODY } from "../support/own-etc.ts";
import { needProgram } from "../support/system-package.ts";
import { ConfinedWorld } from "./confined-world.ts";

needProgram("bwrap", "bubblewrap");
needProgram("curl");

function repository(user: number): ConfinedWorld {
  const world = new ConfinedWorld(user);
  world.write("../.gitconfig", "[user]\n  name = Alex\n  email = alex@example.org\n");
  world.write("a.txt", "one\n");
  spawnSync("sh", ["-c", "git init -qb main && git add a.txt && git -c user.name=A -c user.email=a@b commit -qm Begin"], {
    cwd: world.project,
  });
  world.own();
  return world;
}

describe.each([
  ["root", 0],
  ["a user without rights", NOBODY],
])("as %s", (_, user) => {
  const world = repository(user);
  afterAll(() => world[Symbol.asyncDispose]());

  test("[CONFINE-GIT-1] git adds, commits, branches, stashes and shows", async () => {
    const { out, code } = await world.confined(
      "echo two >> a.txt && git add a.txt && git commit -qm Second && git branch side && echo three >> a.txt && git stash -q && git stash pop -q && git checkout -q side 2>&1; git log --format=%s%n%an; git status -sb",
    );
    expect(out).toContain("Second\nAlex");
    expect(code).toBe(0);
    expect(
      spawnSync("git", ["-c", "safe.directory=*", "branch", "--list", "side"], { cwd: world.project, encoding: "utf8" }).stdout,
    ).toContain("side");
  });

  test("[CONFINE-GIT-2] a linked worktree commits, and neither its own nor the common configuration can be written", async () => {
    const tree = join(world.home, "tree");
    await world.run(["git", "worktree", "add", "-q", tree]);
    const { out } = await world.confined(
      "echo x > b.txt && git add b.txt && git commit -qm FromTree; c=$(git rev-parse --git-common-dir); g=$(git rev-parse --git-dir); echo evil >> $c/config && echo ESCAPED; echo evil > $c/hooks/x && echo ESCAPED; echo /tmp > $g/commondir && echo ESCAPED; echo /tmp > $g/gitdir && echo ESCAPED; mv $g $g-2 && echo ESCAPED; git log --format=%s -1",
      { cwd: tree, project: tree, session: `tree-${user}` },
    );
    expect(out).toContain("FromTree");
    expect(out).not.toContain("ESCAPED");
    await world.end(`tree-${user}`);
  });

  test("[CONFINE-CARRY-1] exit codes, signals, quotes and the working folder come out as they are", async () => {
    expect((await world.confined("exit 7")).code).toBe(7);
    expect((await world.confined("kill -TERM $$")).code).toBe(143);
    const odd = `printf '%s|' "a  b" 'c"d' $'e\\nf' "\${HOME##*/}"`;
    expect((await world.confined(odd)).out).toBe('a  b|c"d|e\nf|home|');
    await world.confined("mkdir -p deep/er && cd deep/er && true");
    expect(readFileSync(join(sessionFolder(world.home, world.session), "cwd"), "utf8")).toBe(
      `${join(world.project, "deep/er")}\n`,
    );
  });

  test("[CONFINE-CARRY-2] a signal to `hap run` reaches the command, and its death ends it", async () => {
    let pid = 0;
    const ready = () => world.has("ready");
    const stopped = world.confined("trap 'echo got it; exit 9' TERM; touch ready; while :; do sleep 0.1; done", {
      onStart: (started) => (pid = started),
    });
    while (!ready()) await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(pid, "SIGTERM");
    const { code, out } = await stopped;
    expect(code).toBe(9);
    expect(out).toContain("got it");
    const killed = world.confined("touch ready2; exec sleep 8765", { onStart: (started) => (pid = started) });
    while (!world.has("ready2")) await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(pid, "SIGKILL");
    await killed;
    while (spawnSync("pgrep", ["-f", "^sleep 8765$"]).status === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  test("[CONFINE-SESSION-1] a server that was started in the background answers the next command", async () => {
    const { out } = await world.confined("python3 -m http.server 8123 >/dev/null 2>&1 &\necho started");
    expect(out).toContain("started");
    const asked = await world.confined("for i in $(seq 100); do curl -s localhost:8123/a.txt && break; sleep 0.1; done");
    expect(asked.out).toContain("one");
    expect(spawnSync("curl", ["-s", "-m", "2", "localhost:8123/a.txt"]).status).not.toBe(0);
  });

  test("[CONFINE-REFUSED-1] what was refused is told, with the one next step", async () => {
    const { out } = await world.confined("curl -sS https://example.com/");
    expect(out).toContain("it asked for example.com, which it may not reach");
    expect(out).toContain("dangerouslyDisableSandbox: true");
  });

  test("[CONFINE-PLACE-1] a folder that holds more than a project is refused", async () => {
    const { out, code } = await world.confined("true", { cwd: world.home, project: world.home, session: null });
    expect(code).toBe(3);
    expect(out).toContain("which holds more than a project");
  });
});

describe("toolchains of the caller", () => {
  const world = repository(0);
  afterAll(() => world[Symbol.asyncDispose]());
  /** The real home: that is where toolchains lie. */
  const env = { HOME: process.env.HOME ?? "/root", PATH: process.env.PATH ?? "", HAP_DB_PATH: join(world.home, "hap.db") };
  const session = `tools-${process.pid}`;
  const run = (command: string) => world.confined(command, { env, session });

  beforeAll(() => {
    world.write("package.json", JSON.stringify({ scripts: { test: "node --test" }, dependencies: { "is-odd": "3.0.1" } }));
    world.write("a.test.js", "require('node:test')('x', () => {});\n");
    world.write("test_a.py", "def test_a():\n    assert 1 + 1 == 2\n");
    world.write("Cargo.toml", '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n');
    world.write("src/lib.rs", "#[test]\nfn adds() { assert_eq!(1 + 1, 2); }\n");
    world.write("go.mod", "module x\n\ngo 1.20\n");
    world.write("a_test.go", 'package x\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n');
    world.own();
  });

  test.each([
    ["npm test", "node", "npm test", "pass 1"],
    ["npm install, through the proxy", "node", "npm install --no-audit --no-fund && ls node_modules", "is-odd"],
    ["pytest", "pytest", "pytest -q", "1 passed"],
    ["cargo test", "cargo", "cargo test 2>&1", "1 passed"],
    ["go test", "go", "go test ./...", "ok"],
  ])(
    "[CONFINE-WORK-1] %s",
    async (_, program, command, said) => {
      if (spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0) {
        console.warn(`${program} is not installed; nothing was tested.`);
        return;
      }
      const { out, code } = await run(command);
      expect(out).toContain(said);
      expect(code).toBe(0);
    },
    300_000,
  );

  test("[CONFINE-CACHE-1] caches are the project's own", async () => {
    const { out } = await run("echo $npm_config_cache $CARGO_HOME $GOCACHE $PIP_CACHE_DIR; touch $XDG_CACHE_HOME/mark");
    for (const path of out.trim().split(" ")) expect(path).toMatch(/^\/.*\/\.cache\//);
    expect(existsSync(join(env.HOME, ".cache", "mark"))).toBe(false);
  });
});

test("[CONFINE-ABSENT-1] where namespaces are forbidden nothing runs, and the reason is told", async () => {
  const world = repository(0);
  const { out, code } = await world.run([
    ...WITHOUT_NAMESPACES,
    process.execPath,
    join(import.meta.dirname, "../../packages/cli/bin/hap.mjs"),
    "run",
    "--confined",
    "--",
    "touch ran",
  ]);
  expect(code).toBe(3);
  expect(out).toContain("user namespaces");
  expect(world.has("ran")).toBe(false);
  await world[Symbol.asyncDispose]();
});
