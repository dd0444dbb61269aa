// Reads one line of an agent: the command format, or the legacy keystrokes of Terminal-Bench. Tolerant where nothing can be
// misread (omitted keys, `done`, one object inside noise), strict where it could.

/** One legacy entry: keys to type, and how long to look afterwards. */
type Keystrokes = { keystrokes: string; duration: number };

/** What an agent answered. */
export type AgentResponse = { taskComplete: boolean; text: string | null } & (
  | { form: "command"; command: string | null }
  | { form: "keystrokes"; keystrokes: Keystrokes[] }
);

/** A response, or why the line is none. */
export type ReadResponse = { ok: true; response: AgentResponse } | { ok: false; problem: string };

const DEFAULT_DURATION_SECONDS = 1;
const LONGEST_DURATION_SECONDS = 60;

/** Read a line. */
export function readResponse(line: string): ReadResponse {
  const found = findObject(line);
  if (typeof found === "string") return invalid(found);
  const complete = readTruth(found.task_complete, "task_complete") ?? readTruth(found.done, "done");
  if (typeof complete === "string") return invalid(complete);
  if (found.commands !== undefined) return readLegacy(found, complete ?? false);
  const command = found.command ?? null;
  const text = found.text ?? null;
  if (command !== null && typeof command !== "string") return invalid(`command must be text or null, not ${kindOf(command)}`);
  if (text !== null && typeof text !== "string") return invalid(`text must be text or null, not ${kindOf(text)}`);
  if (command?.includes("\0")) return invalid("command holds a NUL character, which no shell can read");
  return {
    ok: true,
    response: { form: "command", command: command === "" ? null : command, taskComplete: complete ?? false, text },
  };
}

function readLegacy(found: Record<string, unknown>, taskComplete: boolean): ReadResponse {
  if (!Array.isArray(found.commands)) return invalid(`commands must be a list, not ${kindOf(found.commands)}`);
  const keystrokes: Keystrokes[] = [];
  for (const entry of found.commands as unknown[]) {
    if (typeof entry !== "object" || entry === null) return invalid(`each of commands must be an object, not ${kindOf(entry)}`);
    const { keystrokes: keys, duration = DEFAULT_DURATION_SECONDS } = entry as Record<string, unknown>;
    if (typeof keys !== "string") return invalid(`keystrokes must be text, not ${kindOf(keys)}`);
    if (typeof duration !== "number") return invalid(`duration must be a number of seconds, not ${kindOf(duration)}`);
    keystrokes.push({ keystrokes: keys, duration: Math.min(Math.max(duration, 0), LONGEST_DURATION_SECONDS) });
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
