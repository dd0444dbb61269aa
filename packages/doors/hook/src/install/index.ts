// Exports for `hap init` and `hap doctor`.
export { unifiedDiff } from "../ask/file-diff.ts";
export { otherHooks } from "../confine/other-hooks.ts";
export type { ConfinedByHap, Finding } from "../hosts/hook-host.ts";
export { HOST_NAMES, HOSTS, type Host, isHost } from "../hosts.ts";
export { DEFAULT_TTL_SECONDS, DEFAULT_WAIT_SECONDS } from "../options.ts";
export { confineMode } from "../policy-files.ts";
export type { Installed } from "./guard-command.ts";
export { type FoundHook, findHooks, withHooks, withoutHooks } from "./hook-settings.ts";
export { type McpServer, withoutServer, withServer } from "./mcp-settings.ts";
export { readCommand } from "./read-command.ts";
export { mcpFile, type Places, type Scope, settingsFile, settingsFiles } from "./settings-files.ts";
