// From the host's JSON to an event, parsed once. What is missing or of another kind is an error: a gate that cannot read what
// it is asked about stays closed.
import { HookError } from "./hook-error.ts";

/** A JSON object as the host sent it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** One call of a hook. `tool` is there when the event is about a tool. */
export type HookEvent = {
  readonly name: string;
  readonly session: string | null;
  readonly cwd: string;
  /** The host's permission mode: default, plan, acceptEdits, ... */
  readonly mode: string | null;
  /** The subagent that acts, if one does. */
  readonly subagent: string | null;
  readonly tool: { readonly name: string; readonly input: JsonObject } | null;
  /** Everything, for events with fields of their own. */
  readonly raw: JsonObject;
};

const TOOL_EVENTS = ["PreToolUse", "PermissionRequest"];

/** The longest input that is read: far above what a host sends for one call. */
export const LONGEST_INPUT = 16 * 1024 * 1024;

/** Parse the text. */
export function readEvent(text: string): HookEvent {
  const raw = parse(text);
  const name = word(raw, "hook_event_name");
  if (name === null) throw new HookError("The host's JSON has no hook_event_name.");
  const cwd = word(raw, "cwd");
  if (cwd?.startsWith("/") !== true) throw new HookError(`cwd is ${JSON.stringify(raw.cwd)}; it must be an absolute path.`);
  return {
    name,
    cwd,
    session: word(raw, "session_id"),
    mode: word(raw, "permission_mode"),
    subagent: word(raw, "agent_type") ?? word(raw, "agent_id"),
    tool: TOOL_EVENTS.includes(name) ? readTool(raw) : null,
    raw,
  };
}

function parse(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HookError(`Standard input must hold the host's JSON; it holds ${text.length} characters that are none.`);
  }
  if (isObject(value)) return value;
  throw new HookError("Standard input must hold a JSON object.");
}

function readTool(raw: JsonObject): NonNullable<HookEvent["tool"]> {
  const name = word(raw, "tool_name");
  const input = raw.tool_input;
  if (name === null || name === "") throw new HookError("The host's JSON has no tool_name.");
  if (!isObject(input)) throw new HookError(`tool_input of ${name} must be a JSON object.`);
  return { name, input };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text field, or null when it is absent; another kind of value is an error. */
export function word(object: JsonObject, field: string): string | null {
  const value = object[field];
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return value;
  throw new HookError(`${field} must be text; it is ${typeof value}.`);
}
