// Other hooks that see Bash before it runs. One of them may put its own command in the place of ours, so that a yes of ours would
// carry it. Pure.

import { MARK } from "../install/guard-command.ts";
import { isObject } from "../read-event.ts";
import type { SettingsSource } from "./host-settings.ts";

/** Where such hooks are, in words. */
export function otherHooks(sources: readonly SettingsSource[]): string[] {
  return sources.flatMap(({ where, settings }) => {
    if (settings === null) return [`${where}, which cannot be read`];
    const { hooks, enabledPlugins } = settings;
    const plugins = isObject(enabledPlugins) ? Object.entries(enabledPlugins).filter(([, on]) => on !== false) : [];
    const groups = isObject(hooks) && Array.isArray(hooks.PreToolUse) ? hooks.PreToolUse : [];
    const strange = groups.some((group) => !isObject(group) || (seesBash(group.matcher) && holdsOther(group.hooks)));
    return [
      ...(strange ? [where] : []),
      ...plugins.map(([name]) => `the plugin ${name} (${where}), whose hooks are not known here`),
    ];
  });
}

function seesBash(matcher: unknown): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (typeof matcher !== "string") return true;
  try {
    return new RegExp(`^(?:${matcher})$`).test("Bash");
  } catch {
    return true;
  }
}

function holdsOther(handlers: unknown): boolean {
  if (!Array.isArray(handlers)) return true;
  return handlers.some((handler) => !isObject(handler) || typeof handler.command !== "string" || !handler.command.includes(MARK));
}
