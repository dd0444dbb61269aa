// One host: where the gate stands in its settings, how far it binds, and the known ways to disarm it.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type * as HookInstall from "@hap/door-hook/install";
import type { FoundHook, Host, Places, Scope } from "@hap/door-hook/install";
import { readIfThere } from "../install/change-file.ts";
import { type Check, check } from "./check.ts";

type Door = typeof HookInstall;

/** A gate in a settings file: its scope, and the command of each event. */
type Gate = { host: Host; scope: Scope; path: string; handlers: FoundHook[] };
/** What is known of a host. `enforced`: only root can change the settings that the gate stands in. */
export type HostReport = { host: Host; state: "enforced" | "advisory" | "absent"; gate: Gate | null; checks: Check[] };

/** Look at a host's settings. */
export function inspectHost(door: Door, host: Host, places: Places): HostReport {
  const checks: Check[] = [];
  const gates: Gate[] = [];
  const { findDisarming, otherFiles } = door.HOSTS[host];
  for (const { scope, path } of door.settingsFiles(host, places)) {
    try {
      const text = readIfThere(path);
      if (text === null) continue;
      const handlers = path.endsWith(".toml") ? fromToml(text) : door.findHooks(text, path);
      if (handlers.length > 0) gates.push({ host, scope, path, handlers });
      if (scope !== "managed")
        checks.push(...findDisarming({ text, path, managed: gates.some((gate) => gate.scope === "managed") }));
    } catch (error) {
      checks.push(check("settings", "fail", error instanceof Error ? error.message : String(error)));
    }
  }
  for (const path of otherFiles(places)) checks.push(...findDisarming({ text: readIfThere(path) ?? "", path, managed: false }));
  const [gate] = gates;
  if (gate === undefined) return { host, state: "absent", gate: null, checks };
  const enforced = gate.scope === "managed" && !writable(gate.path);
  return { host, state: enforced ? "enforced" : "advisory", gate, checks: [...gateChecks(door, gate, enforced), ...checks] };
}

function gateChecks(door: Door, gate: Gate, enforced: boolean): Check[] {
  const { title, onFailure, events } = door.HOSTS[gate.host];
  const words = enforced
    ? `enforced: ${gate.path} can be changed by root only`
    : `advisory: whoever acts as this user can change ${gate.path}`;
  return [
    check("gate", enforced ? "ok" : "warn", `The gate is ${words}.`),
    ...["PreToolUse", "PermissionRequest"]
      .filter((event) => events.decide.includes(event))
      .flatMap((event) => eventChecks(gate, event, onFailure)),
    ...(onFailure === null
      ? [
          check(
            "fails_open",
            "warn",
            `${title} lets a call through when a hook is killed or missing: it has no setting that blocks then.`,
          ),
        ]
      : []),
  ];
}

function eventChecks(gate: Gate, event: string, onFailure: "block" | null): Check[] {
  const found = gate.handlers.find((one) => one.event === event);
  const again = `Run \`hap init ${gate.host}\` again.`;
  if (found === undefined) return [check("settings", "fail", `${gate.path} has no hook of HAP for ${event}. ${again}`)];
  const { handler, matcher, foreign } = found;
  if (matcher !== undefined && matcher !== "*" && matcher !== "")
    return [check("settings", "fail", `The hook for ${event} in ${gate.path} sees only ${JSON.stringify(matcher)}. ${again}`)];
  // A condition, a hook that runs once or in the background: each lets calls past the gate.
  if (foreign.length > 0)
    return [
      check(
        "settings",
        "fail",
        `Beside the hook for ${event} in ${gate.path} stands ${foreign.join(", ")}, not of HAP. ${again}`,
      ),
    ];
  if (handler.command !== gate.handlers.find((one) => one.event === "PreToolUse")?.handler.command)
    return [check("drift", "fail", `The hook for ${event} in ${gate.path} is another than the one for PreToolUse. ${again}`)];
  if (onFailure !== null && handler.onFailure !== onFailure)
    return [
      check(
        "on_failure",
        "fail",
        `The hook for ${event} in ${gate.path} lacks "onFailure": "block": a killed hook would let the call through.`,
      ),
    ];
  return [check("settings", "ok", `${event} is in ${gate.path}.`)];
}

/** Find the hooks in a TOML file (Codex's managed hooks) by their lines. */
function fromToml(text: string): Gate["handlers"] {
  const commands = [...text.matchAll(/^\s*command\s*=\s*("(?:[^"\\]|\\.)*")\s*$/gm)].map(
    (match) => JSON.parse(match[1] as string) as string,
  );
  const ours = commands.find((command) => command.includes("hap-hook"));
  const events = [...text.matchAll(/\[\[\s*hooks\.(\w+)\s*\]\]/g)].map((match) => match[1] as string);
  return ours === undefined
    ? []
    : events.map((event) => ({ event, handler: { command: ours }, matcher: undefined, foreign: [] }));
}

/** True when this user could change the file, or put another in its place. Root can change everything. */
function writable(path: string): boolean {
  return [path, dirname(path)].some((place) => {
    try {
      accessSync(place, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Files that others can write are everybody's. */
export function permissionChecks(paths: readonly string[]): Check[] {
  const found = paths.filter(existsSync).map((path) => ({ path, mode: statSync(path).mode }));
  const open = found.filter(({ mode }) => (mode & 0o022) !== 0 && (mode & 0o1000) === 0);
  if (open.length === 0)
    return [check("permissions", "ok", "Nobody else can write the store, the policy, the settings or the hook.")];
  return open.map(({ path, mode }) =>
    check(
      "permissions",
      "fail",
      `${path} can be written by others (mode ${(mode & 0o777).toString(8)}). Run \`chmod go-w\` on it.`,
    ),
  );
}
