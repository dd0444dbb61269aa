// argv and environment -> options, pure. The dialect follows from argv; the environment decides only when argv does not.
import { EFFORTS } from "../model/types.ts";
import { isPermissionMode, PERMISSION_MODES, type PermissionMode } from "../permissions/mode.ts";
import { splitRules } from "../permissions/rules.ts";
import type { Dialect, Options, OutputFormat, SandboxChoice } from "./options.ts";
import { type Argv, readArgv } from "./read-argv.ts";

const AUTH = ["status", "login", "logout"] as const;

/** Read the options of a run. Never throws: what is wrong is in `problems`. */
export function parseOptions(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Options {
  const read = readArgv(argv);
  const problems = [...read.problems];
  const last = (name: string) => read.values.get(name)?.at(-1) ?? null;
  const all = (name: string) => read.values.get(name) ?? [];
  const number = (name: string, whole: boolean): number | null => {
    const text = last(name);
    if (text === null) return null;
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value) && value >= 0 && (!whole || Number.isInteger(value))) return value;
    problems.push(`--${name} takes a ${whole ? "whole number" : "number"} of 0 or more, not "${text}"`);
    return null;
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[]): T | null => {
    const text = last(name);
    if (text === null || allowed.includes(text as T)) return text as T | null;
    problems.push(`--${name} takes ${allowed.join(", ")}, not "${text}"`);
    return null;
  };
  const [word, ...others] = read.words;
  const start = word === "start";
  const auth = word === "auth" && others.length === 1 ? (AUTH.find((one) => one === others[0]) ?? null) : null;
  const inner = auth === null ? innerCommand(read.words) : "auth";
  const words = start || inner !== null ? others : read.words;
  const dialect = chooseDialect(read, start, env);
  const inputFormat = oneOf("input-format", ["text", "stream-json"]) ?? "text";
  const format = oneOf<OutputFormat>("output-format", ["text", "json", "stream-json"]);
  const prompt = last("prompt") ?? read.p.text ?? (words.length > 0 ? words.join(" ") : null);
  const wantsHost = last("permission-prompt-tool");
  return {
    command: read.bareV || read.switches.has("version") ? "version" : read.switches.has("help") ? "help" : (inner ?? "run"),
    words: read.words,
    dialect,
    start,
    provider: last("provider") ?? (env.YUME_PROVIDER || null),
    model: last("model"),
    fallbackModel: last("fallback-model"),
    apiBase: last("api-base"),
    wire: oneOf("wire", ["chat", "responses"]),
    cwd: last("cwd"),
    prompt,
    auth,
    sessionId: last("session-id"),
    resume: last("resume"),
    continueLast: read.switches.has("continue"),
    forkSession: read.switches.has("fork-session"),
    historyFile: last("history-file"),
    persist: !read.switches.has("no-session-persistence"),
    inputFormat,
    outputFormat: format ?? (dialect === "claude" && inputFormat === "text" ? "text" : "stream-json"),
    permissionMode: read.switches.has("dangerously-skip-permissions")
      ? "bypassPermissions"
      : chooseMode(last("permission-mode"), problems),
    mayBypass: read.switches.has("allow-dangerously-skip-permissions"),
    asksHost: wantsHost === "stdio",
    promptTool: choosePromptTool(wantsHost, problems),
    approvals: oneOf("approvals", ["hap"]),
    allowRules: all("allowed-tools").flatMap(splitRules),
    denyRules: all("disallowed-tools").flatMap(splitRules),
    tools: chooseTools(all("tools")),
    addDirs: all("add-dir"),
    mcpConfigs: all("mcp-config"),
    strictMcp: read.switches.has("strict-mcp-config"),
    systemPrompt: last("system-prompt"),
    appendSystemPrompt: last("append-system-prompt"),
    partialMessages: read.switches.has("include-partial-messages"),
    replayUserMessages: read.switches.has("replay-user-messages"),
    retrySeconds: number("retry-seconds", false),
    maxTurns: number("max-turns", true),
    maxSeconds: number("max-seconds", false),
    maxBudgetUsd: number("max-budget-usd", false),
    maxThinkingTokens: number("max-thinking-tokens", true),
    effort: oneOf("effort", EFFORTS),
    thinking: chooseThinking(oneOf("thinking", ["adaptive", "enabled", "disabled"])),
    jsonSchema: readObject("json-schema", last("json-schema"), problems),
    settings: last("settings"),
    settingSources: last("setting-sources")?.split(",").filter(Boolean) ?? null,
    agents: readObject("agents", last("agents"), problems) ?? {},
    sandbox: oneOf<SandboxChoice>("sandbox", ["none", "auto", "bwrap", "landlock"]) ?? "none",
    verbose: read.switches.has("verbose"),
    problems,
    unknown: read.unknown,
  };
}

/** The words that are commands; a sentence that begins with one of them is still a prompt. */
function innerCommand([word, ...others]: readonly string[]): Exclude<Options["command"], "run" | "version" | "auth"> | null {
  if (word === "acp" || word === "term-agent") return word;
  if ((word === "help" || word === "doctor") && others.length === 0) return word;
  return word === "mcp" && (others.length === 0 || /^(?:list|get|add|add-json|remove|serve)$/.test(others[0] ?? ""))
    ? word
    : null;
}

function chooseDialect(read: Argv, start: boolean, env: Readonly<Record<string, string | undefined>>): Dialect {
  const named = read.values.get("protocol-version")?.at(-1);
  if (named === "claude" || named === "yume") return named;
  if (start) return "yume";
  if (read.values.get("input-format")?.at(-1) === "stream-json") return "claude";
  if (read.values.has("provider")) return "yume";
  // Who asks for the stream as Claude's clients do, and for nothing of ours, reads Claude's frames.
  if (read.values.get("output-format")?.at(-1) === "stream-json") return "claude";
  if (read.p.given || read.switches.has("print")) return "claude";
  return env.CLAUDE_CODE_ENTRYPOINT ? "claude" : "yume";
}

/** `enabled` comes with a budget in --max-thinking-tokens, or leaves it to the model. */
function chooseThinking(word: "adaptive" | "enabled" | "disabled" | null): Options["thinking"] {
  return word === "enabled" ? "adaptive" : word;
}

function chooseMode(text: string | null, problems: string[]): PermissionMode {
  if (text === null || isPermissionMode(text)) return text ?? "default";
  problems.push(`--permission-mode takes ${PERMISSION_MODES.join(", ")}, not "${text}"`);
  return "deny";
}

function choosePromptTool(named: string | null, problems: string[]): string | null {
  if (named === null || named === "" || named === "stdio") return null;
  if (!/^mcp__.+__.+$/.test(named)) problems.push(`--permission-prompt-tool takes stdio or mcp__SERVER__TOOL, not "${named}"`);
  return named;
}

/** `default` means all of them; an empty list means none. */
function chooseTools(given: string[]): string[] | null {
  if (given.length === 0 || given.includes("default")) return null;
  return given.flatMap((text) => text.split(/[,\s]+/)).filter(Boolean);
}

function readObject(name: string, text: string | null, problems: string[]): Record<string, unknown> | null {
  if (text === null || text === "") return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  problems.push(`--${name} takes a JSON object`);
  return null;
}
