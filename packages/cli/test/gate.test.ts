// hap init and hap doctor with real settings files, and a gate that is disarmed in every way that is known.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { WITHOUT_NAMESPACES, withoutProgram } from "../../../test/support/no-sandbox.ts";
import { bare, World } from "./hap.ts";

type Handler = { command: string; onFailure?: string };
type Group = { matcher?: string; hooks: [Handler] };
type Settings = { hooks: { PreToolUse?: Group[]; PermissionRequest?: Group[] } };
type Report = {
  ok: boolean;
  hosts: { host: string; state: string; settings: string | null }[];
  checks: { id: string; status: string; text: string; host?: string }[];
};

/** A world whose working folder is a project. */
function project(): { world: World; at: string; settings: string } {
  const world = new World();
  const at = join(world.folder, "work");
  mkdirSync(join(at, ".git"));
  return { world, at, settings: join(at, ".claude", "settings.local.json") };
}

const doctor = async (world: World, ...args: string[]): Promise<Report & { code: number | null }> => {
  const ran = await world.run(["doctor", ...args, "--json"]);
  return { ...(JSON.parse(ran.out) as Report), code: ran.code };
};
const failures = ({ checks }: Report) => checks.filter(({ status }) => status === "fail").map(({ id }) => id);

describe("hap init", () => {
  test("[INIT-SHOW-1] shows the change first, and writes nothing where nobody can be asked", async () => {
    const { world, settings } = project();
    const ran = await world.run(["init", "claude"]);
    expect(ran.code).toBe(3);
    expect(ran.out).toContain('+    "PreToolUse": [');
    expect(ran.err).toContain("Run it at a terminal, or with --yes");
    expect(existsSync(settings)).toBe(false);
    const dry = await world.ok(["init", "claude", "--dry-run"]);
    expect(dry).toContain("Nothing was written.");
    expect(existsSync(settings)).toBe(false);
  });

  test("[INIT-SHOW-1] asks at a terminal, and a no changes nothing", async () => {
    const { world, settings } = project();
    const no = await world.atTerminal(["init", "claude"], { replies: [{ expect: "Write this?", send: "n" }] });
    expect(bare(no.screen)).toContain("Nothing was changed.");
    expect(existsSync(settings)).toBe(false);
    const yes = await world.atTerminal(["init", "claude"], { replies: [{ expect: "Write this?", send: "y" }] });
    expect(bare(yes.screen)).toContain("The gate is in the settings of Claude Code.");
    expect(existsSync(settings)).toBe(true);
  });

  test("[INIT-HOOK-1, INIT-MCP-1] writes absolute paths, the store and the project into the settings", async () => {
    const { world, at, settings } = project();
    await world.ok(["init", "claude", "--yes"]);
    const { hooks } = JSON.parse(readFileSync(settings, "utf8"));
    const { command } = hooks.PreToolUse[0].hooks[0];
    expect(command).toContain(`env -i "HAP_HOST_PATH=$PATH" "HAP_HOST_PROJECT=\${CLAUDE_PROJECT_DIR-}" HOME=${world.folder} `);
    expect(command).toContain(`hap-hook.cjs claude --store ${world.dbPath} --wait 590 --to human:alex --project ${at}`);
    expect(JSON.parse(readFileSync(join(at, ".mcp.json"), "utf8")).mcpServers.hap.args.at(-1)).toBe("mcp");
  });

  test("[INIT-IDEMPOTENT-1, INIT-REMOVE-1] twice is once, and --remove leaves no trace", async () => {
    const { world, at } = project();
    const mine = '{\n  "permissions": {\n    "deny": [\n      "WebFetch"\n    ]\n  }\n}\n';
    const path = world.file(".claude/settings.local.json", mine);
    await world.ok(["init", "claude", "--yes"]);
    const after = readFileSync(path, "utf8");
    expect(await world.ok(["init", "claude", "--yes"])).toContain("Nothing to change");
    expect(readFileSync(path, "utf8")).toBe(after);
    await world.ok(["init", "claude", "--remove", "--yes"]);
    expect(readFileSync(path, "utf8")).toBe(mine);
    expect(existsSync(join(at, ".mcp.json"))).toBe(false);
    await world.ok(["init", "codex", "--yes"]);
    await world.ok(["init", "codex", "--remove", "--yes"]);
    expect(existsSync(join(at, ".codex"))).toBe(false);
    expect(readdirSync(at)).toContain(".claude");
  });

  test("[INIT-SAFE-1] does not touch settings that are no JSON, and takes no order from an agent", async () => {
    const { world } = project();
    const path = world.file(".claude/settings.local.json", "{ broken");
    expect((await world.run(["init", "claude", "--yes"])).code).toBe(2);
    expect(readFileSync(path, "utf8")).toBe("{ broken");
    const agent = await world.run(["init", "claude", "--remove", "--yes"], { env: { HAP_AGENT_ID: "agent:x" } });
    expect(agent.code).toBe(3);
  });

  test("hap hook is the same gate as one command", async () => {
    const { world, at } = project();
    const event = { hook_event_name: "PreToolUse", cwd: at, tool_name: "Bash", tool_input: { command: "ls" } };
    const out = await world.ok(["hook", "claude", "--wait", "5"], { input: JSON.stringify(event) });
    expect(JSON.parse(out).hookSpecificOutput.permissionDecision).toBe("allow");
    expect((await world.run(["hook", "claude"], { input: "{" })).code).toBe(2);
  });
});

describe("hap doctor", () => {
  test("[DOCTOR-CANARY-1, DOCTOR-STATE-1] an installed gate refuses the canary end to end, and is called advisory", async () => {
    const { world, settings } = project();
    await world.ok(["init", "claude", "--yes"]);
    const report = await doctor(world);
    expect(failures(report)).toEqual([]);
    expect([report.ok, report.code]).toEqual([true, 0]);
    expect(report.hosts).toEqual([
      { host: "claude", state: "advisory", settings },
      { host: "codex", state: "absent", settings: null },
    ]);
    for (const id of [
      "gate",
      "settings",
      "drift",
      "permissions",
      "hook",
      "canary",
      "store",
      "policy",
      "clock",
      "trust",
      "passkey",
    ])
      expect(report.checks.map((found) => found.id)).toContain(id);
    expect(await world.ok(["list", "--all"])).toContain("REJECTED");
    expect((await world.run(["doctor"])).out).toContain("The gate is armed.");
  });

  test("[DOCTOR-CONFINE-1] says how what is not proven is confined, and warns of what is in the way", async () => {
    const { world, settings } = project();
    await world.ok(["init", "claude", "--yes"]);
    const said = async () => (await doctor(world)).checks.map(({ text }) => text).join("\n");
    expect(await said()).toContain("In auto mode the hook says yes together with the confined command.");
    const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./mine" }] }] };
    const shared = join(dirname(settings), "settings.json");
    writeFileSync(shared, JSON.stringify({ hooks, sandbox: { enabled: true } }));
    expect(await said()).toContain(`Other hooks see Bash: ${shared}`);
    expect(await said()).toContain("Claude Code's own sandbox is on.");
    // The sandbox's own programs come from the system's folders, whatever PATH says.
    const nowhere = await world.run(["doctor", "--json"], { env: { PATH: "/nowhere" } });
    expect(nowhere.out).not.toContain("Nothing can be confined here");
  });

  test.each([
    [
      "the kernel allows no namespaces",
      WITHOUT_NAMESPACES,
      "The number of user namespaces is limited to none. As root: echo 'user.max_user_namespaces=15000' > /etc/sysctl.d/60-userns.conf && sysctl --system",
    ],
    ["a program is missing", withoutProgram("/usr/bin/nsenter"), "nsenter is not installed. Install the package util-linux."],
  ])("[DOCTOR-CONFINE-1] where %s, it says that nothing can be confined, and the fix", async (_, inside, reason) => {
    const { world, at } = project();
    await world.ok(["init", "claude", "--yes"]);
    const confinement = async () => {
      const { out } = await world.run(["doctor", "--json"], { inside });
      return (JSON.parse(out) as Report).checks.filter(({ id }) => id.startsWith("confinement"));
    };
    const found = (status: string, then: string) => [
      expect.objectContaining({ status, text: `Nothing can be confined here, so what is not proven ${then}. ${reason}` }),
    ];
    expect(await confinement()).toEqual(found("warn", "asks"));
    mkdirSync(join(at, ".hap"), { recursive: true });
    writeFileSync(join(at, ".hap", "policy.json"), JSON.stringify({ version: 1, confine: "require" }));
    expect(await confinement()).toEqual(found("fail", "is refused"));
  });

  test("[DOCTOR-OPEN-1] says that Codex fails open", async () => {
    const { world } = project();
    await world.ok(["init", "codex", "--yes"]);
    const report = await doctor(world, "codex");
    expect(report.ok).toBe(true);
    expect(report.checks).toContainEqual(expect.objectContaining({ id: "fails_open", status: "warn" }));
  });

  test("[DOCTOR-STATE-1] without a gate it fails", async () => {
    const { world } = project();
    const report = await doctor(world);
    expect([report.code, failures(report)]).toEqual([1, ["gate"]]);
  });

  const edit = (path: string, change: (settings: Settings) => unknown) => {
    const settings = JSON.parse(readFileSync(path, "utf8")) as Settings;
    change(settings);
    writeFileSync(path, JSON.stringify(settings));
  };
  const first = (hooks: Settings["hooks"]): Handler => hooks.PreToolUse?.[0]?.hooks[0] as Handler;
  test.each<[string, string, (at: string, settings: string, world: World) => unknown]>([
    [
      "hooks are switched off in the project",
      "disarmed",
      (at) => writeFileSync(join(at, ".claude", "settings.json"), '{"disableAllHooks":true}'),
    ],
    ["onFailure is gone", "on_failure", (_, path) => edit(path, ({ hooks }) => delete first(hooks).onFailure)],
    [
      "the hook sees only some tools",
      "settings",
      (_, path) => edit(path, ({ hooks }) => Object.assign(hooks.PreToolUse?.[0] as Group, { matcher: "Read" })),
    ],
    [
      "the hook runs in the background",
      "settings",
      (_, path) => edit(path, ({ hooks }) => Object.assign(first(hooks), { async: true })),
    ],
    [
      "permissions are answered by something else",
      "drift",
      (_, path) =>
        edit(path, ({ hooks }) =>
          Object.assign(hooks.PermissionRequest?.[0]?.hooks[0] as Handler, { command: ": hap-hook; echo {}" }),
        ),
    ],
    [
      "a guard that lets calls through when the hook fails",
      "drift",
      (_, path) => writeFileSync(path, readFileSync(path, "utf8").replaceAll("exit 2;; esac", "echo '{}';; esac")),
    ],
    ["the gate's event is gone", "settings", (_, path) => edit(path, ({ hooks }) => delete hooks.PreToolUse)],
    [
      "the command was changed",
      "drift",
      (_, path) => edit(path, ({ hooks }) => Object.assign(first(hooks), { command: ": hap-hook; echo {}" })),
    ],
    [
      "the hook's file is gone",
      "drift",
      (_, path) => writeFileSync(path, readFileSync(path, "utf8").replaceAll("hap-hook.cjs", "hap-hook-gone.cjs")),
    ],
    [
      "the store cannot be used",
      "canary",
      (_, path, world) => writeFileSync(path, readFileSync(path, "utf8").replaceAll(world.dbPath, "/dev/null/hap.db")),
    ],
    ["others can write the settings", "permissions", (_, path) => chmodSync(path, 0o666)],
    ["the settings are no JSON", "settings", (at) => writeFileSync(join(at, ".claude", "settings.json"), "{")],
    ["the policy is broken", "policy", (_, __, world) => world.file("../.hap/policy.json", "{")],
  ])("[DOCTOR-DISARM-1] %s: exit 1", async (_, id, disarm) => {
    const { world, at, settings } = project();
    await world.ok(["init", "claude", "--yes"]);
    disarm(at, settings, world);
    const report = await doctor(world);
    expect(failures(report)).toContain(id);
    expect(report.code).toBe(1);
  });
});
