// What `hap init` writes into settings, and that it can be taken out again without a trace.
import { GATE_PATTERNS } from "@hap/shell/paths";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOSTS } from "../src/hosts.ts";
import { guardedCommand, type Installed, tellingCommand } from "../src/install/guard-command.ts";
import { findHooks, withHooks, withoutHooks } from "../src/install/hook-settings.ts";
import { withoutServer, withServer } from "../src/install/mcp-settings.ts";
import { readCommand } from "../src/install/read-command.ts";

const installed: Installed = {
  host: "claude",
  node: "/opt/node 24/bin/node",
  hook: "/opt/it's/hap-hook.cjs",
  home: "/home/dev",
  store: "/home/dev/.hap/hap.db",
  waitSeconds: 590,
};
const server = { command: "/opt/node", args: ["/opt/hap.mjs", "mcp"], env: { HAP_DB_PATH: "/home/dev/.hap/hap.db" } };

describe("hooks in settings", () => {
  test("[INIT-HOOK-1] Claude Code: every tool, a limit above the hook's own, and onFailure block at the gates", () => {
    const { hooks } = JSON.parse(withHooks(null, "settings.json", installed));
    expect(hooks.PreToolUse).toEqual([
      { matcher: "*", hooks: [{ type: "command", command: guardedCommand(installed), timeout: 620, onFailure: "block" }] },
    ]);
    expect(hooks.PermissionRequest[0].hooks[0].onFailure).toBe("block");
    expect(hooks.Stop[0].hooks[0]).toEqual({ type: "command", command: tellingCommand(installed), timeout: 30 });
    expect(Object.keys(hooks)).toEqual([
      ...["PreToolUse", "PermissionRequest", "Elicitation"],
      ...["Notification", "Stop", "SubagentStop", "SessionStart", "SessionEnd"],
    ]);
  });

  test("[INIT-HOOK-1] Codex: no key that it does not know", () => {
    const settings = JSON.parse(withHooks(null, "hooks.json", { ...installed, host: "codex" }));
    expect(Object.keys(settings)).toEqual(["hooks"]);
    for (const groups of Object.values(settings.hooks) as { hooks: object[] }[][])
      for (const { hooks } of groups) for (const hook of hooks) expect(Object.keys(hook)).toEqual(["type", "command", "timeout"]);
  });

  test("[INIT-IDEMPOTENT-1] putting them in twice is putting them in once, and a new path takes the old one's place", () => {
    const once = withHooks('{"model":"opus"}', "s.json", installed);
    expect(withHooks(once, "s.json", installed)).toBe(once);
    const moved = withHooks(once, "s.json", { ...installed, hook: "/elsewhere/hap-hook.cjs" });
    expect(findHooks(moved, "s.json")).toHaveLength(findHooks(once, "s.json").length);
    expect(moved).not.toContain("it's");
  });

  test("[INIT-REMOVE-1] what was there before is there afterwards, byte for byte", () => {
    const mine = { matcher: "Bash", hooks: [{ type: "command", command: "mine" }] };
    const before = `${JSON.stringify({ model: "opus", hooks: { PreToolUse: [mine], Stop: [mine] } }, null, 4)}\n`;
    const after = withHooks(before, "s.json", installed);
    expect(JSON.parse(after).hooks.PreToolUse).toHaveLength(2);
    expect(withoutHooks(after, "s.json")).toBe(before);
    expect(withoutHooks(withHooks(null, "s.json", installed), "s.json")).toBeNull();
  });

  test("[INIT-SAFE-1] a file that is no JSON is not touched", () => {
    expect(() => withHooks("{ // mine", "s.json", installed)).toThrow(
      "s.json is no JSON object. Correct it first; nothing was changed.",
    );
  });
});

describe("the MCP server in settings", () => {
  test("[INIT-MCP-1, INIT-REMOVE-1] Claude Code: one server more, and gone again", () => {
    const before = '{\n  "mcpServers": {\n    "other": {}\n  }\n}\n';
    const after = withServer(".mcp.json", before, server);
    expect(JSON.parse(after).mcpServers).toEqual({ other: {}, hap: server });
    expect(withoutServer(".mcp.json", after)).toBe(before);
    expect(withoutServer(".mcp.json", withServer(".mcp.json", null, server))).toBeNull();
    const foreign = '{"mcpServers":{"hap":{"command":"mine"}}}';
    expect(withoutServer(".mcp.json", foreign)).toBe(foreign);
    expect(() => withServer(".mcp.json", foreign, server)).toThrow("has a server called hap already");
  });

  test("[INIT-MCP-1, INIT-REMOVE-1] Codex: a table at the end, and gone again", () => {
    const before = 'model = "gpt-5"\n\n[features]\nhooks = true\n';
    const after = withServer("config.toml", before, server);
    expect(after).toContain('[mcp_servers.hap]\ncommand = "/opt/node"\nargs = ["/opt/hap.mjs", "mcp"]\n');
    expect(withServer("config.toml", after, server)).toBe(after);
    expect(withoutServer("config.toml", after)).toBe(before);
    expect(() => withServer("config.toml", "[mcp_servers.hap]\n", server)).toThrow("has a server called hap already");
  });
});

test("[INIT-HOOK-1] with a server the hook gets its address and key, and no store of this machine", () => {
  const command = guardedCommand({ ...installed, server: { url: "https://hap.example", apiKey: "k", pin: "ab" } });
  expect(command).toContain("HAP_URL=https://hap.example HAP_API_KEY=k HAP_PIN_SHA256=ab ");
  expect(command).not.toContain("--store");
  expect(readCommand(command)?.env).toMatchObject({ HAP_URL: "https://hap.example", HAP_PIN_SHA256: "ab" });
});

test("[DOCTOR-DRIFT-1] a command is read back as it was written, whatever is in it", () => {
  const path = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("\0"));
  fc.assert(
    fc.property(path, path, (node, store) => {
      const command = guardedCommand({ ...installed, node: `/${node}`, store, to: "human:alex", run: "hap run" });
      const read = readCommand(command);
      expect(read).toMatchObject({ node: `/${node}`, hook: installed.hook, env: { HOME: "/home/dev" } });
      expect(read?.options.get("--store")).toBe(store);
    }),
  );
  expect(readCommand("hap-hook claude")).toBeNull();
  expect(readCommand(tellingCommand(installed))).toBeNull();
});

test("agents cannot change the settings of any host: each file is a gate path [GATE-FILE-1]", () => {
  const places = { home: "/home/dev", project: "/home/dev/app", platform: "linux" } as const;
  for (const host of Object.values(HOSTS)) {
    const files = [...host.settingsFiles(places).map(({ path }) => path), ...host.otherFiles(places)];
    for (const path of files)
      expect(
        GATE_PATTERNS.some((pattern) => pattern.test(path)),
        path,
      ).toBe(true);
  }
});
