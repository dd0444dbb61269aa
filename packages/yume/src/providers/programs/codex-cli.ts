// The Codex program (`codex exec --json`). Without another choice its sandbox is read-only.
import type { Usage } from "../../model/types.ts";
import { isObject } from "../call-arguments.ts";
import { PermanentModelError } from "../permanent-error.ts";
import { count, textOf } from "../wires/read-fields.ts";
import type { ProgramKind, ProgramLine } from "./program-provider.ts";

type Json = Record<string, unknown>;

const sandboxes = ["read-only", "workspace-write", "danger-full-access"];

export function codexCli(env: NodeJS.ProcessEnv): ProgramKind {
  const sandbox = env.YUME_CODEX_SANDBOX || "read-only";
  if (!sandboxes.includes(sandbox))
    throw new PermanentModelError("bad_request", `YUME_CODEX_SANDBOX is ${sandbox}, and can be ${sandboxes.join(", ")}`);
  return {
    name: "codex-cli",
    command: "codex",
    install: "npm install -g @openai/codex",
    authHint: "Run `codex login`, or set CODEX_API_KEY to your key.",
    args: (model) => [
      "exec",
      "--json",
      "--skip-git-repo-check",
      "--sandbox",
      sandbox,
      ...(model === null ? [] : ["--model", model]),
      "-",
    ],
    reader: codexReader,
  };
}

function codexReader(): (line: Json) => ProgramLine {
  let lastText: string | null = null;
  let reconnected = false;
  return (line) => {
    if (line.type === "turn.completed") return { says: "done", usage: usageOf(line.usage) };
    if (line.type === "turn.failed") return failed(isObject(line.error) ? textOf(line.error.message) : "the turn failed");
    if (line.type === "error") {
      // It tells of its own tries, too; what ends the turn is `turn.failed`.
      reconnected = true;
      return { says: "nothing" };
    }
    if (line.type !== "item.completed" || !isObject(line.item)) return { says: "nothing" };
    const { type } = line.item;
    const text = textOf(line.item.text);
    if (type === "reasoning") return { says: "thinking", text };
    if (type !== "agent_message") return note(line.item);
    // After a reconnection it says again what was already said.
    const repeated = reconnected && text === lastText;
    reconnected = false;
    const separated = lastText === null ? text : `\n\n${text}`;
    lastText = text;
    return repeated ? { says: "nothing" } : { says: "text", text: separated };
  };
}

function note(item: Json): ProgramLine {
  switch (item.type) {
    case "command_execution":
      return { says: "note", text: `[codex ran: ${textOf(item.command)} (exit ${String(item.exit_code ?? "?")})]\n` };
    case "file_change": {
      const changes = Array.isArray(item.changes) ? item.changes.filter(isObject) : [];
      return { says: "note", text: changes.map(({ kind, path }) => `[codex: ${textOf(kind)} ${textOf(path)}]\n`).join("") };
    }
    case "mcp_tool_call":
      return { says: "note", text: `[codex called: ${textOf(item.server)}.${textOf(item.tool)}]\n` };
    case "web_search":
      return { says: "note", text: `[codex searched: ${textOf(item.query)}]\n` };
    default:
      return { says: "nothing" };
  }
}

const failed = (message: string): ProgramLine => ({
  says: "failed",
  message,
  status: Number(/status (\d{3})/.exec(message)?.[1] ?? 0) || null,
});

function usageOf(usage: unknown): Usage | null {
  if (!isObject(usage)) return null;
  const read = count(usage.cached_input_tokens);
  const written = count(usage.cache_write_input_tokens);
  return {
    input_tokens: Math.max(0, count(usage.input_tokens) - read - written),
    output_tokens: count(usage.output_tokens),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
  };
}
