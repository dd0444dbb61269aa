// Which MCP servers a run has: those of --mcp-config, of the user's configuration, and of the project's .mcp.json as far as the user
// approved them. A project's file alone starts nothing.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "../argv/options.ts";
import type { Settings } from "../settings/settings.ts";
import { YumeError } from "../yume-error.ts";

/** Configurations for `readMcpConfigs`, weakest first, and the names in .mcp.json that nobody approved. */
export function mcpSources(
  options: Pick<Options, "mcpConfigs" | "strictMcp" | "settingSources">,
  settings: Pick<Settings, "mcpServers" | "projectMcp">,
  cwd: string,
): { configs: string[]; unapproved: string[] } {
  if (options.strictMcp) return { configs: options.mcpConfigs, unapproved: [] };
  const wantsProject = options.settingSources === null || options.settingSources.includes("project");
  const { approved, unapproved } = wantsProject ? ofProject(join(cwd, ".mcp.json"), settings.projectMcp) : NOTHING;
  const own = [approved, settings.mcpServers]
    .filter((servers) => Object.keys(servers).length > 0)
    .map((servers) => JSON.stringify({ mcpServers: servers }));
  return { configs: [...own, ...options.mcpConfigs], unapproved };
}

const NOTHING = { approved: {}, unapproved: [] as string[] };

function ofProject(path: string, { all, enabled, disabled }: Settings["projectMcp"]): typeof NOTHING {
  if (!existsSync(path)) return NOTHING;
  let servers: Record<string, unknown>;
  try {
    servers = (JSON.parse(readFileSync(path, "utf8")) as { mcpServers?: Record<string, unknown> }).mcpServers ?? {};
  } catch (error) {
    throw new YumeError("usage", `${path} cannot be read: ${(error as Error).message}`, error);
  }
  const names = Object.keys(servers).filter((name) => !disabled.includes(name));
  const isApproved = (name: string) => all || enabled.includes(name);
  return {
    approved: Object.fromEntries(names.filter(isApproved).map((name) => [name, servers[name]])),
    unapproved: names.filter((name) => !isApproved(name)),
  };
}
