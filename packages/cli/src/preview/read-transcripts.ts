// Tool calls from the transcripts that Claude Code and Codex keep. Read-only; lines of any other kind are passed over.
import { createReadStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A call in a transcript. */
export type RecordedCall = { host: "claude" | "codex"; tool: string; input: Record<string, unknown>; cwd: string; at: string };

export type Transcripts = { host: "claude" | "codex"; files: string[] };

/** Where the two programs keep transcripts, and those written since a moment. */
export function findTranscripts(home: string, env: NodeJS.ProcessEnv, since: number): Transcripts[] {
  const claude = join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "projects");
  const codex = join(env.CODEX_HOME || join(home, ".codex"), "sessions");
  return [
    { host: "claude", files: newFiles(claude, since) },
    { host: "codex", files: newFiles(codex, since) },
  ];
}

function newFiles(folder: string, since: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true }) as string[];
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since)
    .sort();
}

/** The calls of one transcript, each once: sessions that were resumed repeat what came before. */
export async function* readCalls(
  host: "claude" | "codex",
  file: string,
  since: number,
  seen: Set<string>,
): AsyncGenerator<RecordedCall> {
  const place = { cwd: "/" };
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const entry = parse(line);
    if (entry === null) continue;
    const at = typeof entry.timestamp === "string" ? entry.timestamp : "";
    for (const { id, ...call } of host === "claude" ? claudeCalls(entry) : codexCalls(entry, place)) {
      if (seen.has(id) || Date.parse(at) < since) continue;
      seen.add(id);
      yield { host, at, ...call };
    }
  }
}

type Json = Record<string, unknown>;
type Found = { id: string; tool: string; input: Json; cwd: string };

function claudeCalls(entry: Json): Found[] {
  const { message, cwd } = entry as { message?: { content?: unknown }; cwd?: unknown };
  if (entry.type !== "assistant" || !Array.isArray(message?.content)) return [];
  return (message.content as Json[])
    .filter(({ type, name, input }) => type === "tool_use" && typeof name === "string" && isObject(input))
    .map(({ id, name, input }) => ({ id: String(id), tool: name as string, input: input as Json, cwd: folder(cwd) }));
}

/** Commands are in `function_call`, `local_shell_call` and `custom_tool_call`; the folder is said before them. */
function codexCalls(entry: Json, place: { cwd: string }): Found[] {
  const payload = isObject(entry.payload) ? entry.payload : entry;
  if (entry.type === "session_meta" || entry.type === "turn_context") {
    place.cwd = folder(payload.cwd ?? place.cwd);
    return [];
  }
  const id = String(payload.call_id ?? payload.id ?? "");
  if (payload.type === "local_shell_call" && isObject(payload.action)) {
    const { command, working_directory: cwd } = payload.action;
    return [{ id, tool: "Bash", input: { command: shellText(command) }, cwd: folder(cwd ?? place.cwd) }];
  }
  if (payload.type === "custom_tool_call" && payload.name === "apply_patch")
    return [{ id, tool: "apply_patch", input: { command: String(payload.input) }, cwd: place.cwd }];
  if (payload.type !== "function_call" || typeof payload.name !== "string") return [];
  const given = typeof payload.arguments === "string" ? parse(payload.arguments) : null;
  if (given === null) return [];
  const cwd = folder(given.workdir ?? place.cwd);
  const command = given.command ?? given.cmd;
  if (["shell", "shell_command", "exec_command", "container.exec"].includes(payload.name) && command !== undefined)
    return [{ id, tool: "Bash", input: { ...given, command: shellText(command) }, cwd }];
  if (payload.name === "apply_patch") return [{ id, tool: "apply_patch", input: { command: String(given.input ?? "") }, cwd }];
  return [{ id, tool: payload.name, input: given, cwd }];
}

/** Codex gives a shell and its script as words; the script alone is what the gate is shown. */
function shellText(command: unknown): string {
  if (!Array.isArray(command)) return String(command);
  const words = command.map(String);
  const [shell = "", flag = "", script] = words;
  if (/(^|\/)(ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && script !== undefined && words.length === 3) return script;
  return words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

function folder(path: unknown): string {
  return typeof path === "string" && path.startsWith("/") ? path : "/";
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
