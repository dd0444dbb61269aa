// The settings of Claude Code from every source that can be read: managed, user, project, local, and the program's own command line.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type JsonObject } from "../read-event.ts";

/** One source; `settings` is null where it is there and cannot be read. */
export type SettingsSource = { where: string; settings: JsonObject | null };

export type SettingsPlaces = {
  home: string;
  project: string;
  cwd: string;
  platform: NodeJS.Platform;
  hostArguments: readonly string[];
};

/** Every source that exists. */
export function readHostSettings(places: SettingsPlaces): SettingsSource[] {
  return [...settingsPaths(places).flatMap(readFile), ...fromArguments(places.hostArguments, places.cwd)];
}

function settingsPaths({ home, project, cwd, platform }: SettingsPlaces): string[] {
  const managed = platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";
  const parts = join(managed, "managed-settings.d");
  const folders = new Set<string>([project, cwd]);
  // The session may have begun in any folder between them.
  for (let at = cwd; at.startsWith(`${project}/`); at = dirname(at)) folders.add(at);
  return [
    join(managed, "managed-settings.json"),
    ...(existsSync(parts) ? readdirSync(parts).map((name) => join(parts, name)) : []),
    ...["settings.json", "remote-settings.json"].map((name) => join(home, ".claude", name)),
    ...[...folders].flatMap((folder) => ["settings.json", "settings.local.json"].map((name) => join(folder, ".claude", name))),
  ];
}

function readFile(path: string): SettingsSource[] {
  try {
    return [{ where: path, settings: parse(readFileSync(path, "utf8")) }];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : [{ where: path, settings: null }];
  }
}

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const RULES_IN_ARGUMENTS: Readonly<Record<string, "deny" | "allow">> = {
  "--disallowedTools": "deny",
  "--disallowed-tools": "deny",
  "--allowedTools": "allow",
  "--allowed-tools": "allow",
};

/** `--settings` takes JSON or the name of a file; `--disallowedTools` and `--allowedTools` take rules. */
function fromArguments(words: readonly string[], cwd: string): SettingsSource[] {
  return words.flatMap((word, at): SettingsSource[] => {
    const [name, attached] =
      word.startsWith("--") && word.includes("=")
        ? [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]
        : [word, undefined];
    if (name === "--settings") {
      const value = attached ?? words[at + 1] ?? "";
      return value.trimStart().startsWith("{")
        ? [{ where: name, settings: parse(value) }]
        : readFile(value.startsWith("/") ? value : join(cwd, value));
    }
    const kind = RULES_IN_ARGUMENTS[name];
    if (kind === undefined) return [];
    const rest = attached === undefined ? words.slice(at + 1) : [attached];
    const end = rest.findIndex((next) => next.startsWith("--"));
    const rules = (end < 0 ? rest : rest.slice(0, end)).flatMap(splitRules);
    return [{ where: name, settings: { permissions: { [kind]: rules } } }];
  });
}

/** Rules apart by commas or spaces that are outside parentheses. */
function splitRules(text: string): string[] {
  return text.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];
}
