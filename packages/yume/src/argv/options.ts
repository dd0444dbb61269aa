// What a run was asked for, after both families of flags were read: the seed's and those that Claude's clients pass.
import type { Effort } from "../model/types.ts";
import type { PermissionMode } from "../permissions/mode.ts";

export type Dialect = "claude" | "yume";
export type OutputFormat = "text" | "json" | "stream-json";
/** `bwrap` refuses to run a command without bubblewrap; `auto` uses it where it works. */
export type SandboxChoice = "none" | "auto" | "bwrap" | "landlock";

export type Options = {
  command: "run" | "version" | "help" | "acp" | "term-agent" | "auth" | "doctor" | "mcp";
  /** Arguments that are no flags, with the command's own words. */
  words: string[];
  dialect: Dialect;
  /** The word `start` was given. */
  start: boolean;
  provider: string | null;
  model: string | null;
  fallbackModel: string | null;
  apiBase: string | null;
  wire: "chat" | "responses" | null;
  cwd: string | null;
  prompt: string | null;
  /** Claude's `auth` command, which hosts run to see who pays. */
  auth: "status" | "login" | "logout" | null;
  sessionId: string | null;
  resume: string | null;
  continueLast: boolean;
  forkSession: boolean;
  historyFile: string | null;
  persist: boolean;
  inputFormat: "text" | "stream-json";
  outputFormat: OutputFormat;
  permissionMode: PermissionMode;
  /** A host may switch to bypassPermissions while the run goes on. */
  mayBypass: boolean;
  /** The host answers `can_use_tool` on the control channel. */
  asksHost: boolean;
  /** The MCP tool that is asked in its place. */
  promptTool: string | null;
  approvals: "hap" | null;
  allowRules: string[];
  denyRules: string[];
  /** The only tools to offer, or null for all. */
  tools: string[] | null;
  addDirs: string[];
  mcpConfigs: string[];
  /** Only the servers of --mcp-config. */
  strictMcp: boolean;
  systemPrompt: string | null;
  appendSystemPrompt: string | null;
  partialMessages: boolean;
  replayUserMessages: boolean;
  /** How long overload, rate limits and outages are retried. */
  retrySeconds: number | null;
  maxTurns: number | null;
  maxSeconds: number | null;
  maxBudgetUsd: number | null;
  maxThinkingTokens: number | null;
  effort: Effort | null;
  thinking: "adaptive" | "disabled" | null;
  jsonSchema: Record<string, unknown> | null;
  settings: string | null;
  settingSources: string[] | null;
  agents: Record<string, unknown>;
  sandbox: SandboxChoice;
  verbose: boolean;
  /** What was wrong with values of known flags: each ends the run with an error. */
  problems: string[];
  /** Flags that nobody knows: told on stderr with --verbose, never fatal. */
  unknown: string[];
};
