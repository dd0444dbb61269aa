// A hostile agent inside `hap run --confined`: real programs, as root and as a user without rights. What counts is the host afterwards.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NOBODY } from "../support/own-etc.ts";
import { needProgram } from "../support/system-package.ts";
import { ConfinedWorld, SECRET } from "./confined-world.ts";
import { appearing, GROUPS, type Surroundings } from "./escapes.ts";

needProgram("bwrap", "bubblewrap");
needProgram("curl");

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A repository with every kind of gate in it. */
async function armedWorld(user: number): Promise<ConfinedWorld> {
  const world = new ConfinedWorld(user);
  world.write("package.json", "{}");
  world.write(".claude/settings.json", '{"x":1}');
  world.write(".mcp.json", "{}");
  world.write(".hap/policy.json", '{"version":1}');
  world.write(".husky/pre-commit", "true\n", 0o755);
  world.write("tools/hooks/keep", "");
  world.write("packages/a/.claude/settings.json", "{}");
  world.write("sub/.git", "gitdir: ../.git/modules/none\n");
  world.write("git-extra.conf", "[alias]\n  st = status\n");
  world.write("dotfiles/codex/config.toml", "x = 1\n");
  symlinkSync("dotfiles/codex", join(world.project, ".codex"));
  world.write("../.cargo/bin/tool", "#!/bin/sh\n", 0o755);
  world.write("../.gitconfig", "[user]\n  name = Alex\n  email = alex@example.org\n");
  const git = (...words: string[]) => {
    const ran = spawnSync("git", words, {
      cwd: world.project,
      env: { PATH: process.env.PATH, HOME: world.home },
      encoding: "utf8",
    });
    if (ran.status !== 0) throw new Error(ran.stderr);
  };
  git("init", "-q");
  rmSync(join(world.project, ".git", "hooks"), { recursive: true, force: true });
  mkdirSync(join(world.project, ".git", "hooks"));
  world.write(".git/hooks/keep", "");
  git("add", "package.json");
  git("commit", "-qm", "Begin");
  git("config", "core.hooksPath", "tools/hooks");
  git("config", "include.path", "../git-extra.conf");
  world.own();
  return world;
}

describe.each([
  ["root", 0],
  ["a user without rights", NOBODY],
])("an agent that acts as %s", (_, user) => {
  let world: ConfinedWorld;
  let around: Surroundings;
  let sleeper: ReturnType<typeof spawn>;

  /** Everything that must be the same afterwards. */
  const gates = () =>
    [
      ".claude",
      ".mcp.json",
      ".hap",
      ".husky",
      "tools",
      "packages",
      "sub/.git",
      "git-extra.conf",
      "dotfiles",
      ".codex",
      ".git/config",
      ".git/hooks",
      ".git/info",
    ].map((path) => world.print(join(world.project, path)));
  const outside = () => [
    ...[".ssh", "other", ".cargo", ".npm", ".bashrc", ".profile", ".cache"].map((name) => world.print(join(world.home, name))),
    readdirSync(world.folder).sort(),
    existsSync("/tmp/evil-of-a-confined-command"),
    existsSync("/usr/local/bin/evil"),
  ];

  beforeAll(async () => {
    world = await armedWorld(user);
    const abstract = `hap-test-${process.pid}-${user}`;
    await world.listen({ path: join(world.home, "host.sock") });
    await world.listen({ path: join(world.folder, "host.sock") });
    await world.listen({ path: `\0${abstract}` });
    const port = await world.listen({ port: 0, host: "0.0.0.0" });
    sleeper = spawn("sleep", ["1000"]);
    around = { home: world.home, folder: world.folder, port, abstract, hostPid: sleeper.pid ?? 0 };
  });

  afterAll(async () => {
    sleeper.kill("SIGKILL");
    await world[Symbol.asyncDispose]();
  });

  describe.each(Object.entries(GROUPS))("against %s", (_group, escapes) => {
    const said = new Map<string, string>();
    let before: unknown;

    beforeAll(async () => {
      before = [gates(), outside()];
      const each = escapes.map(({ attack }, at) => `echo "=== ${at}"\nbash -c ${quote(`${attack(around)}\necho TRIED`)} 2>&1`);
      const { out } = await world.confined(each.join("\n"));
      for (const part of out.split(/^=== /m).slice(1)) said.set(escapes[Number.parseInt(part, 10)]?.name ?? "", part);
    });

    test.each(escapes)("[CONFINE-ESCAPE-1] $name, in vain", ({ name }) => {
      expect(said.get(name)).toContain("TRIED");
      expect(said.get(name)).not.toContain("ESCAPED");
      expect(said.get(name)).not.toContain(SECRET);
    });

    test("[CONFINE-ESCAPE-1] and the host is as it was", () => {
      expect([gates(), outside()]).toEqual(before);
      expect([sleeper.exitCode, sleeper.signalCode]).toEqual([null, null]);
    });
  });

  describe("gate names that were not there", () => {
    let out = "";
    let moved: { path: string; kept: string }[] = [];
    beforeAll(async () => {
      const before = gates();
      ({ out } = await world.confined(`${appearing.map(({ attack }) => attack).join("\n")}\necho TRIED`));
      expect(gates()).toEqual(before);
      const [ticket] = await world.tickets();
      expect(ticket).toMatchObject({ kind: "quarantine", priority: "critical" });
      moved = ticket?.details.moved as typeof moved;
    });

    test.each(appearing)("[CONFINE-QUARANTINE-1] $name is in quarantine afterwards, and a person is told", ({ path }) => {
      expect(out).toContain("TRIED");
      expect(out).toContain("moved what this command made to quarantine");
      expect(world.has(path)).toBe(false);
      const kept = moved.find((one) => one.path === join(world.project, path))?.kept ?? "";
      expect(spawnSync("test", ["-e", kept, "-o", "-L", kept]).status).toBe(0);
    });
  });

  test("[CONFINE-QUARANTINE-1] a gate that was a link is put back when it was replaced", async () => {
    await world.confined("rm .codex; mkdir .codex; echo evil > .codex/config.toml");
    expect(world.print(join(world.project, ".codex"))).toEqual({ [join(world.project, ".codex")]: "-> dotfiles/codex" });
  });

  test("[CONFINE-SESSION-1] namespaces are the session's own and not the host's", async () => {
    const list = "for n in net pid ipc uts mnt user; do readlink /proc/self/ns/$n; done";
    const host = spawnSync("bash", ["-c", list], { encoding: "utf8" }).stdout.trim().split("\n");
    const first = (await world.confined(list)).out.trim().split("\n");
    const second = (await world.confined(list)).out.trim().split("\n");
    expect(first.length).toBe(6);
    for (const name of first) expect(host).not.toContain(name);
    // Network, processes, IPC and host name are shared by the session's commands; mounts and users are each command's own.
    expect(second.slice(0, 4)).toEqual(first.slice(0, 4));
  });

  test("[CONFINE-SESSION-2] a gate name that something left running makes later is found by the next command", async () => {
    await world.confined(
      "(while [ ! -e go ]; do sleep 0.05; done; mkdir -p late/.git; touch made; sleep 1000) >/dev/null 2>&1 &",
    );
    world.write("go", "");
    while (!world.has("made")) await new Promise((resolve) => setTimeout(resolve, 20));
    const { out } = await world.confined("echo hello");
    expect(out).toContain("hello");
    expect(out).toContain("quarantine");
    expect(world.has("late/.git")).toBe(false);
  });

  test("[CONFINE-SESSION-2] and by the end of the session, with which everything left running ends", async () => {
    const session = `end-${user}-${process.pid}`;
    await world.confined(
      "(while [ ! -e go2 ]; do sleep 0.05; done; mkdir -p later/.claude; touch made2; exec sleep 4321) >/dev/null 2>&1 &",
      { session },
    );
    world.write("go2", "");
    while (!world.has("made2")) await new Promise((resolve) => setTimeout(resolve, 20));
    await world.end(session);
    expect(world.has("later/.claude")).toBe(false);
    expect(spawnSync("pgrep", ["-f", "^sleep 4321$"]).status).toBe(1);
  });
});
