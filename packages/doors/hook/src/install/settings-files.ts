// Where each host keeps its settings, and how far each place binds: a project's or a user's file can be changed by whoever acts
// as that user, so a gate there is advisory; one that only root can write is enforced.
import { join } from "node:path";
import type { Host } from "../hosts.ts";

/** How far a settings file reaches. `shared` is the project's file that is committed; we read it and never write it. */
export type Scope = "managed" | "user" | "project" | "shared";

/** Folders that the paths hang on. */
export type Places = { home: string; project: string; platform: NodeJS.Platform };

/** Every settings file in which a hook of the host may stand, the strongest first. */
export function settingsFiles(host: Host, { home, project, platform }: Places): { scope: Scope; path: string }[] {
  if (host === "claude")
    return [
      { scope: "managed", path: claudeManaged(platform) },
      { scope: "user", path: join(home, ".claude", "settings.json") },
      { scope: "shared", path: join(project, ".claude", "settings.json") },
      { scope: "project", path: join(project, ".claude", "settings.local.json") },
    ];
  return [
    { scope: "managed", path: "/etc/codex/requirements.toml" },
    { scope: "user", path: join(home, ".codex", "hooks.json") },
    { scope: "project", path: join(project, ".codex", "hooks.json") },
  ];
}

function claudeManaged(platform: NodeJS.Platform): string {
  return platform === "darwin"
    ? "/Library/Application Support/ClaudeCode/managed-settings.json"
    : "/etc/claude-code/managed-settings.json";
}

/** The file of one scope. */
export function settingsFile(host: Host, scope: Scope, places: Places): string | null {
  return settingsFiles(host, places).find((file) => file.scope === scope)?.path ?? null;
}

/** Where the host looks for MCP servers of that scope; null where we leave that to the administrator. */
export function mcpFile(host: Host, scope: Scope, { home, project }: Places): string | null {
  if (scope === "managed") return null;
  if (host === "claude") return scope === "user" ? join(home, ".claude.json") : join(project, ".mcp.json");
  return join(scope === "user" ? home : project, ".codex", "config.toml");
}
