// Settings files by scope, and how far each binds: a project's or a user's file can be changed by whoever acts as that user, so a
// gate there is advisory; one that only root can write is enforced.

import type { Places, Scope } from "../hosts/hook-host.ts";
import { HOSTS, type Host } from "../hosts.ts";

export type { Places, Scope } from "../hosts/hook-host.ts";

/** Every settings file in which a hook of the host may be, the strongest first. */
export function settingsFiles(host: Host, places: Places): { scope: Scope; path: string }[] {
  return HOSTS[host].settingsFiles(places);
}

/** The file of one scope. */
export function settingsFile(host: Host, scope: Scope, places: Places): string | null {
  return settingsFiles(host, places).find((file) => file.scope === scope)?.path ?? null;
}

/** Where the host looks for MCP servers of that scope; null where we leave that to the administrator. */
export function mcpFile(host: Host, scope: Scope, places: Places): string | null {
  return HOSTS[host].mcpFile(scope, places);
}
