// Hooks of settings files: `hooks: {Event: [{matcher, hooks: [{type: "command", command, timeout}]}]}`. Pure.
import type { SettingSource, SourceName } from "./setting-sources.ts";

/** One hook of a settings file. `unsupported` names a type that this program cannot run. */
export type SettingsHook = {
  event: string;
  matcher: string | undefined;
  source: SourceName;
  run:
    | { type: "command"; command: string }
    | { type: "http"; url: string; headers: Record<string, string>; allowedEnvVars: string[] }
    | { type: "unsupported"; name: string };
  timeoutMs: number;
  onFailure: string | undefined;
  /** Not waited for. */
  background: boolean;
};

const DEFAULT_TIMEOUT_MS = 600_000;

/** How far a source is trusted: what a weaker one says does not switch off the hooks of a stronger one. */
const TRUST: Readonly<Record<SourceName, number>> = { project: 0, local: 0, yume: 1, user: 1, flag: 1, managed: 2 };

type Loose = Record<string, unknown>;

/** The hooks of all sources, without those that were switched off by a source at least as trusted. */
export function readHooks(sources: readonly SettingSource[]): SettingsHook[] {
  const managedOnly = sources.some(({ name, value }) => name === "managed" && value.allowManagedHooksOnly === true);
  const off = Math.max(-1, ...sources.filter(({ value }) => value.disableAllHooks === true).map(({ name }) => TRUST[name]));
  return sources
    .filter(({ name }) => TRUST[name] > off && (!managedOnly || name === "managed"))
    .flatMap(({ name, value }) => hooksOf(name, value.hooks));
}

function hooksOf(source: SourceName, hooks: unknown): SettingsHook[] {
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).filter(isObject).flatMap((group) =>
      (Array.isArray(group.hooks) ? group.hooks : []).filter(isObject).map(
        (hook): SettingsHook => ({
          event,
          source,
          matcher: typeof group.matcher === "string" ? group.matcher : undefined,
          run: runOf(hook),
          timeoutMs: typeof hook.timeout === "number" && hook.timeout > 0 ? hook.timeout * 1_000 : DEFAULT_TIMEOUT_MS,
          onFailure: typeof hook.onFailure === "string" ? hook.onFailure : undefined,
          background: hook.async === true,
        }),
      ),
    ),
  );
}

function runOf(hook: Loose): SettingsHook["run"] {
  if (hook.type === "command" && typeof hook.command === "string") return { type: "command", command: hook.command };
  if (hook.type === "http" && typeof hook.url === "string")
    return {
      type: "http",
      url: hook.url,
      headers: Object.fromEntries(
        Object.entries(isObject(hook.headers) ? hook.headers : {}).map(([name, text]) => [name, String(text)]),
      ),
      allowedEnvVars: Array.isArray(hook.allowedEnvVars) ? hook.allowedEnvVars.map(String) : [],
    };
  return { type: "unsupported", name: String(hook.type) };
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
