// Codex.
import { join } from "node:path";
import type { HookHost } from "./hook-host.ts";

/** Codex as a host of hooks. It lets a call through when a hook fails, and rejects answers with fields that it does not know. */
export const codex: HookHost = {
  title: "Codex",
  agent: "agent:codex",
  settingsFiles: ({ home, project }) => [
    { scope: "managed", path: "/etc/codex/requirements.toml" },
    { scope: "user", path: join(home, ".codex", "hooks.json") },
    { scope: "project", path: join(project, ".codex", "hooks.json") },
  ],
  mcpFile: (scope, { home, project }) =>
    scope === "managed" ? null : join(scope === "user" ? home : project, ".codex", "config.toml"),
  events: { decide: ["PreToolUse", "PermissionRequest"], tell: ["Stop", "SessionStart"] },
  onFailure: null,
  matchesTools: false,
  statesYes: false,
  editsPermissions: false,
  asksForItself: false,
  confinesItself: true,
  refersToVariables: false,
  afterInstall: "Codex runs it once you have trusted it: open /hooks there.",
};
