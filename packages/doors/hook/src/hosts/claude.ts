// Claude Code.
import { join } from "node:path";
import { readHostSettings } from "../confine/host-settings.ts";
import { isObject, type JsonObject } from "../read-event.ts";
import type { Finding, HookHost, TranscriptCall } from "./hook-host.ts";
import { absoluteFolder } from "./transcript-folder.ts";

/** Claude Code as a host of hooks. */
export const claude: HookHost = {
  title: "Claude Code",
  agent: "agent:claude-code",
  settingsFiles: ({ home, project, platform }) => [
    {
      scope: "managed",
      path:
        platform === "darwin"
          ? "/Library/Application Support/ClaudeCode/managed-settings.json"
          : "/etc/claude-code/managed-settings.json",
    },
    { scope: "user", path: join(home, ".claude", "settings.json") },
    { scope: "shared", path: join(project, ".claude", "settings.json") },
    { scope: "project", path: join(project, ".claude", "settings.local.json") },
  ],
  mcpFile: (scope, { home, project }) => {
    if (scope === "managed") return null;
    return scope === "user" ? join(home, ".claude.json") : join(project, ".mcp.json");
  },
  managedByAdministrator: null,
  events: {
    decide: ["PreToolUse", "PermissionRequest", "Elicitation"],
    tell: ["Notification", "Stop", "SubagentStop", "SessionStart", "SessionEnd"],
  },
  onFailure: "block",
  matchesTools: true,
  statesYes: true,
  editsPermissions: true,
  asksForItself: true,
  confinement: {
    by: "hap",
    tool: "Bash",
    settingsFolder: ".claude",
    optsOut: (input) => input.dangerouslyDisableSandbox === true,
    readSettings: readHostSettings,
    hasOwnSandbox: (sources) => sources.some(({ settings }) => isObject(settings?.sandbox) && settings.sandbox.enabled === true),
  },
  refersToVariables: true,
  findDisarming,
  otherFiles: () => [],
  // From here on Claude Code knows `onFailure`.
  minVersion: { version: [2, 1, 295], otherwise: "it lets a call through when the hook is killed" },
  transcripts: {
    folder: (home, env) => join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "projects"),
    reader: () => callsIn,
  },
  afterInstall: null,
};

function findDisarming({ text, path, managed }: { text: string; path: string; managed: boolean }): Finding[] {
  const settings = JSON.parse(text) as { disableAllHooks?: unknown; env?: Record<string, unknown> };
  const found: Finding[] = [];
  if (settings.disableAllHooks === true)
    found.push({
      id: "disarmed",
      status: managed ? "warn" : "fail",
      text: `${path} says disableAllHooks${managed ? "; managed hooks run all the same" : ": no hook runs"}.`,
    });
  for (const name of ["NODE_OPTIONS", "HAP_DB_PATH", "HAP_URL"])
    if (settings.env?.[name] !== undefined)
      found.push({
        id: "environment",
        status: "warn",
        text: `${path} sets ${name}. The guard gives the hook an environment of its own, so it has no effect there.`,
      });
  return found;
}

function callsIn(entry: JsonObject): TranscriptCall[] {
  const { message, cwd } = entry as { message?: { content?: unknown }; cwd?: unknown };
  if (entry.type !== "assistant" || !Array.isArray(message?.content)) return [];
  return (message.content as JsonObject[])
    .filter(({ type, name, input }) => type === "tool_use" && typeof name === "string" && isObject(input))
    .map(({ id, name, input }) => ({
      id: String(id),
      tool: name as string,
      input: input as JsonObject,
      cwd: absoluteFolder(cwd),
    }));
}
