// Reads one line of an agent: the command format, or the legacy keystrokes of Terminal-Bench. Tolerant where nothing can be
// misread (omitted keys, `done`, one object inside noise), strict where it could.
import { readUsage, type Usage } from "./usage.ts";

/** Keys to type, and how many seconds to wait afterwards. */
type Keystrokes = { keystrokes: string; duration: number };

/** What an agent answered: a command, keys (the extension), or keystrokes (legacy). `usage` and `model` are of its model call. */
export type AgentResponse = { taskComplete: boolean; text: string | null; usage?: Usage; model?: string } & (
  | { form: "command"; command: string | null }
  | { form: "keys" | "keystrokes"; keystrokes: Keystrokes[] }
);

/** A response, or why the line is none. */
export type ReadResponse = { ok: true; response: AgentResponse } | { ok: false; problem: string };

const DEFAULT_DURATION_SECONDS = 1;
const LONGEST_DURATION_SECONDS = 60;

/** Read a line. */
export function readResponse(line: string): ReadResponse {
  const found = findObject(line);
  if (typeof found === "string") return invalid(found);
  const read = readFields(found);
  const usage = readUsage(found.usage);
  if (typeof usage === "string") return invalid(usage);
  if (!read.ok) return read;
  const model = typeof found.model === "string" && found.model !== "" ? { model: found.model } : {};
  return { ok: true, response: { ...read.response, ...model, ...(usage === null ? {} : { usage }) } };
}

function readFields(found: Record<string, unknown>): ReadResponse {
  const complete = readTruth(found.task_complete, "task_complete") ?? readTruth(found.done, "done");
  if (typeof complete === "string") return invalid(complete);
  if (found.commands !== undefined) return readLegacy(found, complete ?? false);
  const command = found.command ?? null;
  const text = found.text ?? null;
  if (command !== null && typeof command !== "string") return invalid(`command must be text or null, not ${kindOf(command)}`);
  if (text !== null && typeof text !== "string") return invalid(`text must be text or null, not ${kindOf(text)}`);
  if (command?.includes("\0")) return invalid("command holds a NUL character, which no shell can read");
  if (found.keystrokes !== undefined && found.keystrokes !== null) {
    if (command !== null && command !== "") return invalid("a response has a command or keystrokes, not both");
    const keystrokes = readKeystrokes(found.keystrokes);
    if (typeof keystrokes === "string") return invalid(keystrokes);
    return { ok: true, response: { form: "keys", keystrokes, taskComplete: complete ?? false, text } };
  }
  return {
    ok: true,
    response: { form: "command", command: command === "" ? null : command, taskComplete: complete ?? false, text },
  };
}

/** The extension of the command format: text, or a list of keys with their waits. */
function readKeystrokes(given: unknown): Keystrokes[] | string {
  const entries = typeof given === "string" ? [given] : given;
  if (!Array.isArray(entries)) return `keystrokes must be text or a list, not ${kindOf(given)}`;
  const read: Keystrokes[] = [];
  for (const entry of entries as unknown[]) {
    const { keys, wait = DEFAULT_DURATION_SECONDS } = typeof entry === "string" ? { keys: entry } : isObject(entry) ? entry : {};
    if (typeof keys !== "string") return "each of keystrokes must be text, or an object with keys";
    if (typeof wait !== "number") return `wait must be a number of seconds, not ${kindOf(wait)}`;
    read.push({ keystrokes: keys, duration: limitDuration(wait) });
  }
  return read;
}

function limitDuration(seconds: number): number {
  return Math.min(Math.max(seconds, 0), LONGEST_DURATION_SECONDS);
}

function readLegacy(found: Record<string, unknown>, taskComplete: boolean): ReadResponse {
  if (!Array.isArray(found.commands)) return invalid(`commands must be a list, not ${kindOf(found.commands)}`);
  const keystrokes: Keystrokes[] = [];
  for (const entry of found.commands as unknown[]) {
    if (typeof entry !== "object" || entry === null) return invalid(`each of commands must be an object, not ${kindOf(entry)}`);
    const { keystrokes: keys, duration = DEFAULT_DURATION_SECONDS } = entry as Record<string, unknown>;
    if (typeof keys !== "string") return invalid(`keystrokes must be text, not ${kindOf(keys)}`);
    if (typeof duration !== "number") return invalid(`duration must be a number of seconds, not ${kindOf(duration)}`);
    keystrokes.push({ keystrokes: keys, duration: limitDuration(duration) });
  }
  const words = [found.analysis, found.plan].filter((word) => typeof word === "string" && word !== "");
  return {
    ok: true,
    response: { form: "keystrokes", keystrokes, taskComplete, text: words.length > 0 ? words.join("\n") : null },
  };
}

/** The one object of a line, or what is wrong with the line. */
function findObject(line: string): Record<string, unknown> | string {
  const whole = parse(line);
  if (isObject(whole)) return whole;
  if (whole !== undefined) return `expected one JSON object, got ${kindOf(whole)}`;
  const start = line.indexOf("{");
  const end = line.lastIndexOf("}");
  const inside = start === -1 || end < start ? undefined : parse(line.slice(start, end + 1));
  return isObject(inside) ? inside : "expected one JSON object in the line";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True or false; null where nothing is said; otherwise the problem. */
function readTruth(value: unknown, name: string): boolean | null | string {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (["true", "1", "yes"].includes(word)) return true;
  if (["false", "0", "no", ""].includes(word) && typeof value === "string") return false;
  return `${name} must be true or false, not ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}

function invalid(problem: string): ReadResponse {
  return { ok: false, problem };
}
