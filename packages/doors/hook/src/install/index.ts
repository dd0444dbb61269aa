// What `hap init` and `hap doctor` need of this door.
export { unifiedDiff } from "../ask/file-diff.ts";
export { codexSandbox } from "../confine/codex-sandbox.ts";
export { readHostSettings } from "../confine/host-settings.ts";
export { otherHooks } from "../confine/other-hooks.ts";
export { HOSTS, type Host, isHost } from "../hosts.ts";
export { DEFAULT_TTL_SECONDS, DEFAULT_WAIT_SECONDS } from "../options.ts";
export { confineMode } from "../policy-files.ts";
export type { Installed } from "./guard-command.ts";
export { type FoundHook, findHooks, withHooks, withoutHooks } from "./hook-settings.ts";
export { type McpServer, withoutServer, withServer } from "./mcp-settings.ts";
export { readCommand } from "./read-command.ts";
export { mcpFile, type Places, type Scope, settingsFile, settingsFiles } from "./settings-files.ts";
