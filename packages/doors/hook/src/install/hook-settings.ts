// The hooks in a host's settings: put in, taken out, found again. Everything else in the file stays as it is. Pure: text in,
// text out.
import { HapError } from "@hap/protocol";
import { HOSTS, type Host } from "../hosts.ts";
import { isObject } from "../read-event.ts";
import { guardedCommand, type Installed, MARK, tellingCommand } from "./guard-command.ts";

type Handler = { type: "command"; command: string; timeout: number; onFailure?: "block" };
type Group = { matcher?: string; hooks: Handler[] };
type Json = Record<string, unknown>;

/** The host must wait longer than the hook does. */
const HOST_MARGIN_SECONDS = 30;
const TELLING_TIMEOUT_SECONDS = 30;

/** Events at which a hook that fails must block; elsewhere a failure would only be in the way. */
const GATES = ["PreToolUse", "PermissionRequest"];

/** The settings with our hooks in them, in place of any that were there before. */
export function withHooks(text: string | null, path: string, installed: Installed): string {
  const settings = withoutOurs(parseSettings(text, path));
  const hooks: Record<string, unknown> = isObject(settings.hooks) ? { ...settings.hooks } : {};
  const command = guardedCommand(installed);
  const tells = tellingCommand(installed);
  const { events, onFailure } = HOSTS[installed.host];
  const { decide, tell } = events;
  for (const event of decide) {
    const timeout = installed.waitSeconds + HOST_MARGIN_SECONDS;
    const blocks = onFailure !== null && GATES.includes(event);
    const handler: Handler = { type: "command", command, timeout, ...(blocks ? { onFailure } : {}) };
    hooks[event] = [...listOf(hooks[event]), group(installed.host, event, handler)];
  }
  for (const event of tell)
    hooks[event] = [...listOf(hooks[event]), { hooks: [{ type: "command", command: tells, timeout: TELLING_TIMEOUT_SECONDS }] }];
  return print({ ...settings, hooks }, text);
}

function group(host: Host, event: string, handler: Handler): Group {
  return HOSTS[host].matchesTools && GATES.includes(event) ? { matcher: "*", hooks: [handler] } : { hooks: [handler] };
}

/** The settings without our hooks; null when nothing is left of the file. */
export function withoutHooks(text: string | null, path: string): string | null {
  const settings = withoutOurs(parseSettings(text, path));
  return Object.keys(settings).length === 0 ? null : print(settings, text);
}

/** A handler of ours in a file. `matcher`: which tools it sees. `foreign`: what stands beside it that we never write. */
export type FoundHook = { event: string; handler: Json; matcher: unknown; foreign: string[] };

const GROUP_KEYS = ["matcher", "hooks"];
const HANDLER_KEYS = ["type", "command", "timeout", "onFailure"];

/** Our handlers in a file, by event. */
export function findHooks(text: string | null, path: string): FoundHook[] {
  const { hooks } = parseSettings(text, path);
  return Object.entries(isObject(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    listOf(groups).flatMap((entry) =>
      handlersOf(entry)
        .filter(isOurs)
        .map((handler) => ({ event, handler, matcher: (entry as Json).matcher, foreign: foreignKeys(entry as Json, handler) })),
    ),
  );
}

function foreignKeys(entry: Json, handler: Json): string[] {
  const beside = Object.keys(entry).filter((key) => !GROUP_KEYS.includes(key));
  return [...beside, ...Object.keys(handler).filter((key) => !HANDLER_KEYS.includes(key))];
}

function withoutOurs(settings: Json): Json {
  if (!isObject(settings.hooks)) return settings;
  const kept = Object.entries(settings.hooks).flatMap(([event, groups]) => {
    const left = listOf(groups).flatMap((entry) => {
      const handlers = handlersOf(entry);
      const others = handlers.filter((handler) => !isOurs(handler));
      if (others.length === handlers.length) return [entry];
      return others.length === 0 ? [] : [{ ...(entry as Json), hooks: others }];
    });
    return left.length === 0 && listOf(groups).length > 0 ? [] : [[event, left] as const];
  });
  const { hooks: _hooks, ...rest } = settings;
  return kept.length === 0 ? rest : { ...settings, hooks: Object.fromEntries(kept) };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function handlersOf(entry: unknown): Json[] {
  return isObject(entry) ? listOf(entry.hooks).filter(isObject) : [];
}

function isOurs({ command }: Json): boolean {
  return typeof command === "string" && command.includes(MARK);
}

/** Settings as an object. A file that is no JSON is somebody's work: it is not overwritten. */
export function parseSettings(text: string | null, path: string): Json {
  if (text === null || text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { ...value };
  } catch {
    // Said below.
  }
  throw new HapError("invalid_json", `${path} is no JSON object. Correct it first; nothing was changed.`, { path });
}

/** With the indentation that the file had. */
export function print(settings: Json, before: string | null): string {
  const indent = /^(\s+)"/m.exec(before ?? "")?.[1]?.replace(/^\n+/, "") ?? "  ";
  return `${JSON.stringify(settings, null, indent)}\n`;
}
