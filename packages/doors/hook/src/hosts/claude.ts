// Claude Code.
import { join } from "node:path";
import type { HookHost } from "./hook-host.ts";

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
  events: {
    decide: ["PreToolUse", "PermissionRequest", "Elicitation"],
    tell: ["Notification", "Stop", "SubagentStop", "SessionStart", "SessionEnd"],
  },
  onFailure: "block",
  matchesTools: true,
  statesYes: true,
  editsPermissions: true,
  asksForItself: true,
  confinesItself: false,
  refersToVariables: true,
  afterInstall: null,
};
