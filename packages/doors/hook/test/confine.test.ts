// What is not proven is put into `hap run --confined`, and only that very text is allowed afterwards.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { needProgram } from "../../../../test/support/system-package.ts";
import { codexSandbox } from "../src/confine/codex-sandbox.ts";
import { matchingRule } from "../src/confine/host-rules.ts";
import { readHostSettings } from "../src/confine/host-settings.ts";
import { otherHooks } from "../src/confine/other-hooks.ts";
import { wrapCommand } from "../src/confine/wrapper.ts";
import { claudePayloads as claude } from "./fixtures/claude-payloads.ts";
import { codexPayloads as codex } from "./fixtures/codex-payloads.ts";
import { World } from "./world.ts";

needProgram("bwrap", "bubblewrap");

const HAP = join(import.meta.dirname, "../../../cli/bin/hap.mjs");
const unproven = "python3 build.py && node -e 0";
const argv = (world: World) => ["--store", world.store, "--to", "human:alex", "--wait", "1", "--hap", HAP];

/** What the hook says to a call, from a session of its own. */
async function ask(world: World, payload: object) {
  return (await world.run("claude", payload, { argv: argv(world) })).said.hookSpecificOutput;
}

describe("Claude Code", () => {
  test("[CONFINE-HOOK-1] the whole input comes back with another command, and nothing is decided", async () => {
    const world = new World();
    const payload = claude.bash(world.project, unproven);
    const said = await ask(world, payload);
    expect(said?.permissionDecision).toBeUndefined();
    expect(said?.updatedInput).toMatchObject({
      ...payload.tool_input,
      command: expect.stringContaining(`run --confined --session ${payload.session_id}`),
    });
    expect(String(said?.updatedInput?.command)).toContain(`-- '${unproven}'`);
    expect(await world.tickets()).toEqual([]);
  });

  test("[CONFINE-HOOK-1] permission is given for exactly that input, in that session", async () => {
    const world = new World();
    const updated = (await ask(world, claude.bash(world.project, unproven)))?.updatedInput ?? {};
    const asked = { ...claude.permission(world.project, ""), tool_input: updated };
    expect((await ask(world, asked))?.decision).toEqual({ behavior: "allow" });
    const changed = [
      { ...asked, tool_input: { ...updated, command: `${updated.command}; id` } },
      { ...asked, tool_input: { ...updated, command: String(updated.command).replace("build.py", "evil.py") } },
      { ...asked, tool_input: { ...updated, dangerouslyDisableSandbox: true } },
      { ...asked, session_id: "another-session" },
    ];
    for (const payload of changed) expect((await ask(world, payload))?.decision?.behavior).not.toBe("allow");
  });

  test("[CONFINE-SETTINGS-1] settings that switch hooks off cannot be made by a command that is still running", async () => {
    const world = new World();
    const began = join(world.project, "src");
    const payload = claude.bash(began, "sh make.sh & sleep 0.2");
    world.write(
      "src/make.sh",
      `for at in .claude ../.claude; do mkdir -p $at; echo '{"disableAllHooks":true}' > $at/settings.json; mv $at $at.old; done; touch made; sleep 1000`,
    );
    const env = { HAP_HOST_PROJECT: began };
    const said = (await world.run("claude", payload, { argv: argv(world), env })).said.hookSpecificOutput;
    const running = spawn("bash", ["-c", String(said?.updatedInput?.command)], {
      cwd: began,
      env: { ...process.env, HOME: world.home },
    });
    try {
      while (!existsSync(join(began, "made"))) await new Promise((resolve) => setTimeout(resolve, 20));
      for (const folder of [began, world.project]) {
        expect(readdirSync(join(folder, ".claude"))).toEqual([]);
        expect(existsSync(join(folder, ".claude.old"))).toBe(false);
      }
    } finally {
      running.kill("SIGKILL");
      await ask(world, claude.sessionEnd(world.project));
    }
  });

  test("[CONFINE-HOOK-2] a person is asked where the sandbox is declined, switched off, or ruled out by the host's own rules", async () => {
    const declined = new World();
    const payload = claude.bash(declined.project, unproven);
    const input = { ...payload.tool_input, dangerouslyDisableSandbox: true };
    expect((await ask(declined, { ...payload, tool_input: input }))?.permissionDecision).toBe("deny");
    expect(await declined.tickets()).toHaveLength(1);

    const off = new World();
    off.write(".hap/policy.json", JSON.stringify({ version: 1, confine: "off" }));
    expect((await ask(off, claude.bash(off.project, unproven)))?.updatedInput).toBeUndefined();

    const ruled = new World();
    ruled.write(".claude/settings.json", JSON.stringify({ permissions: { ask: ["Bash(node *)"] } }));
    expect((await ask(ruled, claude.bash(ruled.project, unproven)))?.updatedInput).toBeUndefined();

    const own = new World();
    own.write(".claude/settings.json", JSON.stringify({ sandbox: { enabled: true } }));
    expect((await ask(own, claude.bash(own.project, unproven)))?.updatedInput).toBeUndefined();

    const old = new World();
    const said = await old.run("claude", claude.bash(old.project, unproven), {
      argv: ["--store", old.store, "--to", "human:alex", "--wait", "1"],
    });
    expect(said.said.hookSpecificOutput?.updatedInput).toBeUndefined();
  });

  test("[CONFINE-HOOK-3] where the host decides by itself, the answer is yes only while no other hook sees Bash", async () => {
    const alone = new World();
    const auto = (world: World) => ({ ...claude.bash(world.project, unproven), permission_mode: "auto" });
    expect(await ask(alone, auto(alone))).toMatchObject({
      permissionDecision: "allow",
      updatedInput: { command: expect.stringContaining("run --confined") },
    });
    const beside = new World();
    const hooks = { PreToolUse: [{ matcher: "Bash|Read", hooks: [{ type: "command", command: "./mine" }] }] };
    beside.write(".claude/settings.json", JSON.stringify({ hooks }));
    expect((await ask(beside, auto(beside)))?.updatedInput).toBeUndefined();
    // Nor is a hook asked in this mode, or for what a rule of the host allows.
    const bypass = { ...claude.bash(beside.project, unproven), permission_mode: "bypassPermissions" };
    expect((await ask(beside, bypass))?.updatedInput).toBeUndefined();
    beside.write(".claude/settings.json", JSON.stringify({ hooks, permissions: { allow: ["Bash"] } }));
    expect((await ask(beside, claude.bash(beside.project, unproven)))?.updatedInput).toBeUndefined();
    beside.write(".claude/settings.json", JSON.stringify({ hooks, permissions: { allow: ["Bash(make:*)"] } }));
    expect((await ask(beside, claude.bash(beside.project, unproven)))?.updatedInput).toBeDefined();
  });

  test("[GATE-RACE-1] a proven command in the background is confined, and behind a pause nothing is proven", async () => {
    const world = new World();
    const proven = claude.bash(world.project, "cat src/a.ts");
    expect((await ask(world, proven))?.permissionDecision).toBe("allow");
    const later = { ...proven, tool_input: { ...proven.tool_input, run_in_background: true } };
    expect((await ask(world, later))?.updatedInput).toMatchObject({ command: expect.stringContaining("run --confined") });
    const paused = claude.bash(world.project, "sleep 9; cat src/a.ts");
    expect((await ask(world, paused))?.updatedInput).toMatchObject({ command: expect.stringContaining("run --confined") });
  });

  test("[GATE-RACE-1] while a confined command runs, a proven one is confined, or asked about where it declines the sandbox", async () => {
    const world = new World();
    const session = claude.bash(world.project, "").session_id;
    const words = [HAP, "run", "--confined", "--session", session, "--project", world.project, "--"];
    const env = { HOME: world.home, PATH: process.env.PATH, HAP_DB_PATH: world.store };
    const running = spawn(process.execPath, [...words, "touch begun; sleep 1000"], { cwd: world.project, env, stdio: "ignore" });
    try {
      while (!existsSync(join(world.project, "begun"))) await new Promise((resolve) => setTimeout(resolve, 20));
      const proven = claude.bash(world.project, "cat src/a.ts");
      expect((await ask(world, proven))?.updatedInput).toMatchObject({ command: expect.stringContaining("run --confined") });
      const declined = { ...proven, tool_input: { ...proven.tool_input, dangerouslyDisableSandbox: true } };
      expect((await ask(world, declined))?.permissionDecision).toBe("deny");
      expect(await world.tickets()).toHaveLength(1);
      // A file tool's call stops the session first, so that no link is exchanged while the host writes.
      const write = claude.write(world.project, join(world.project, "b.ts"), "x");
      expect((await ask(world, write))?.permissionDecision).toBe("allow");
      const states = spawnSync("pgrep", ["-r", "T", "-f", "^sleep 1000$"], { encoding: "utf8" }).stdout.trim();
      expect(states).not.toBe("");
    } finally {
      running.kill("SIGKILL");
      await ask(world, claude.sessionEnd(world.project));
    }
  });

  test("[CONFINE-ABSENT-2] without a sandbox a person is asked, or refused where the policy requires one", async () => {
    const world = new World();
    const inside = ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/"];
    const how = { argv: argv(world), inside };
    const payload = claude.bash(world.project, unproven);
    const asked = (await world.run("claude", payload, how)).said.hookSpecificOutput;
    expect(asked?.permissionDecisionReason).toContain("Still pending");
    expect(asked?.updatedInput).toBeUndefined();
    world.write(".hap/policy.json", JSON.stringify({ version: 1, confine: "require" }));
    const refused = (await world.run("claude", payload, how)).said.hookSpecificOutput;
    expect(refused?.permissionDecision).toBe("deny");
    expect(refused?.permissionDecisionReason).toMatch(/^The policy requires that this runs confined, which does not work here: /);
    expect(await world.tickets()).toHaveLength(1);
  });
});

describe("Codex", () => {
  test("[CONFINE-CODEX-1] is never rewritten, and asks while its own sandbox is not known to be on", async () => {
    const world = new World();
    const { said } = await world.run("codex", codex.bash(world.project, unproven), { argv: argv(world) });
    expect(said.hookSpecificOutput?.updatedInput).toBeUndefined();
  });

  test.each([
    [["codex"], [], "on"],
    [["exec", "--sandbox", "workspace-write"], [], "on"],
    [["exec", "-s", "read-only"], ['sandbox_mode = "danger-full-access"'], "on"],
    [["exec"], ['sandbox_mode = "danger-full-access"\n'], "off"],
    [["exec", "--sandbox=danger-full-access"], [], "off"],
    [["--yolo"], [], "off"],
    [["--dangerously-bypass-approvals-and-sandbox"], [], "off"],
    [["-c", 'sandbox_mode="danger-full-access"'], [], "off"],
    [["exec"], ['[profiles.x]\nsandbox_mode = "danger-full-access"\n'], "on"],
    [["exec"], ['profile = "x"\n'], "unknown"],
    [["--profile", "x"], [], "unknown"],
    [["app-server"], [], "unknown"],
    [null, [], "unknown"],
  ] as const)("[CONFINE-CODEX-1] %j with %j: its sandbox is %s", (words, configs, expected) => {
    expect(codexSandbox(words, configs)).toBe(expected);
  });
});

describe("the host's own rules", () => {
  const source = (permissions: unknown) => [{ where: "s.json", settings: { permissions } as never }];

  test.each([
    ["Bash", "node x", true],
    ["Bash(*)", "node x", true],
    ["Bash(node:*)", "node x", true],
    ["Bash(node *)", "make && node x", true],
    ["Bash(node *)", "echo no'd'e; no\"de\" x", true],
    ["Bash(git push:*)", "git  push", true],
    ["Bash(npm run * --force)", "npm run deploy --now --force", true],
    ["Bash(node *)", "python3 nodes.py", false],
    ["Bash(git push:*)", "git status", false],
    ["Read(./secrets/**)", "python3 x.py secrets/a", true],
    ["Read(./secrets/**)", "python3 x.py", false],
    ["Edit(**)", "python3 x.py", true],
    ["WebFetch(domain:x.org)", "node x", false],
    ["mcp__x", "node x", false],
    ["*", "node x", true],
    [7, "node x", true],
  ])("[CONFINE-RULES-1] %j and %j: %s", (rule, command, expected) => {
    expect(matchingRule(command, source({ deny: [rule] })) !== null).toBe(expected);
    expect(matchingRule(command, source({ ask: [rule] })) !== null).toBe(expected);
    expect(matchingRule(command, source({ allow: [rule] }))).toBe(null);
  });

  test("[CONFINE-RULES-1] what cannot be read counts as a match", () => {
    expect(matchingRule("ls", [{ where: "s.json", settings: null }])).toBe("s.json cannot be read");
    expect(matchingRule("ls", source([]))).toContain("cannot be read");
    expect(matchingRule("ls", source({ deny: "Bash" }))).toContain("cannot be read");
  });

  test("[CONFINE-RULES-1] every source is read: files between the folder and the project, and the host's own arguments", () => {
    const world = new World();
    world.write(".claude/settings.local.json", "{}");
    world.write("src/.claude/settings.json", "{ broken");
    const places = { home: world.home, project: world.project, cwd: join(world.project, "src"), platform: process.platform };
    const hostArguments = [
      "--settings",
      '{"permissions":{"deny":["Bash(x)"]}}',
      "--disallowedTools",
      "Bash(git push:*),Read",
      "Edit",
      "--verbose",
    ];
    const found = readHostSettings({ ...places, hostArguments });
    expect(found.find(({ where }) => where.endsWith("src/.claude/settings.json"))?.settings).toBe(null);
    expect(found.find(({ where }) => where === "--disallowedTools")?.settings).toEqual({
      permissions: { deny: ["Bash(git push:*)", "Read", "Edit"] },
    });
    expect(
      matchingRule(
        "x",
        found.filter(({ where }) => where === "--settings"),
      ),
    ).toContain("deny rule");
  });

  test("[CONFINE-RULES-1] a long command and a rule of many stars take no time", () => {
    const started = performance.now();
    matchingRule("git ".repeat(20_000), source({ deny: ["Bash(*git*push*--force*x*y*z*)"] }));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

test("[CONFINE-HOOK-3] hooks of others are found by what they see", () => {
  const with_ = (group: unknown) => otherHooks([{ where: "s", settings: { hooks: { PreToolUse: [group] } } as never }]);
  const mine = [{ type: "command", command: "./mine" }];
  for (const matcher of [undefined, "", "*", "Bash", "Bash|Edit", "B.*", "(", 7])
    expect(with_({ matcher, hooks: mine })).toEqual(["s"]);
  expect(with_({ matcher: "Edit", hooks: mine })).toEqual([]);
  expect(with_({ matcher: "*", hooks: [{ type: "command", command: ": hap-hook; ..." }] })).toEqual([]);
  expect(otherHooks([{ where: "s", settings: { enabledPlugins: { "a@b": true } } as never }])[0]).toContain("the plugin a@b");
});

test("[CONFINE-CARRY-3] the wrapper names programs by whole paths, quotes the command, and goes on where it ended", () => {
  const parts = { node: "/opt/node", hap: "/opt/hap.mjs", session: "s", project: "/my app", cwdFile: "/h/cwd" };
  expect(wrapCommand("echo 'a'", parts)).toBe(
    "/opt/node /opt/hap.mjs run --confined --session s --project '/my app' -- 'echo '\\''a'\\'''",
  );
  expect(wrapCommand("cd x && make", parts)).toMatch(
    /; hap_code=\$\?; IFS= read -r hap_cwd < \/h\/cwd && cd -- "\$hap_cwd"; \(exit \$hap_code\)$/,
  );
});
