// The places settings come from, weakest first: yume-cli's own configuration, the user's, the project's, the project's local file,
// --settings, and what the machine's administrator set. A file that cannot be read is an error: a lost rule is an open gate.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { YumeError } from "../yume-error.ts";

export type SourceName = "yume" | "user" | "project" | "local" | "flag" | "managed";

export type SettingSource = { name: SourceName; path: string; value: Record<string, unknown> };

export type SettingPlaces = {
  cwd: string;
  home: string;
  /** Where Claude Code keeps the user's settings: CLAUDE_CONFIG_DIR, or ~/.claude. */
  claudeFolder: string;
  /** Where an administrator puts settings that nobody overrides. */
  managedFolder: string;
  /** --setting-sources; null for all. It cannot leave out --settings or an administrator's. */
  wanted: readonly string[] | null;
  /** --settings: JSON, or a file with it. */
  flag: string | null;
};

/** The administrator's folder on this system, as Claude Code has it. */
export function managedFolder(platform: NodeJS.Platform): string {
  if (platform === "darwin") return "/Library/Application Support/ClaudeCode";
  return platform === "win32" ? "C:\\Program Files\\ClaudeCode" : "/etc/claude-code";
}

/** The user's folder of Claude Code. */
export function claudeFolder(env: NodeJS.ProcessEnv, home: string): string {
  return env.CLAUDE_CONFIG_DIR || join(home, ".claude");
}

/** Read every source that is wanted, weakest first. */
export function readSources(places: SettingPlaces): SettingSource[] {
  const { cwd, home, wanted } = places;
  const wants = (name: string) => wanted === null || wanted.includes(name);
  const file = (name: SourceName, path: string): SettingSource[] => {
    const text = readIfThere(path);
    return text === null ? [] : [{ name, path, value: parse(text, path) }];
  };
  return [
    ...file("yume", join(home, ".yume", "config.json")),
    ...(wants("user") ? file("user", join(places.claudeFolder, "settings.json")) : []),
    ...(wants("project") ? file("project", join(cwd, ".claude", "settings.json")) : []),
    ...(wants("local") ? file("local", join(cwd, ".claude", "settings.local.json")) : []),
    ...flagSource(places.flag),
    ...file("managed", join(places.managedFolder, "managed-settings.json")),
    ...dropIns(join(places.managedFolder, "managed-settings.d")).flatMap((path) => file("managed", path)),
  ];
}

function flagSource(given: string | null): SettingSource[] {
  if (given === null || given.trim() === "") return [];
  if (given.trim().startsWith("{")) return [{ name: "flag", path: "--settings", value: parse(given, "--settings") }];
  const text = readIfThere(given);
  if (text === null) throw new YumeError("usage", `--settings: there is no file ${given}.`);
  return [{ name: "flag", path: given, value: parse(text, given) }];
}

function dropIns(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json") && !name.startsWith("."))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new YumeError("usage", `The settings ${path} cannot be read: ${(error as Error).message}`, error);
  }
}

function parse(text: string, path: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new YumeError(
    "usage",
    path === "--settings"
      ? "--settings takes a JSON object or the path of a file with one."
      : `The settings ${path} are not a JSON object. Correct the file, or leave it out with --setting-sources.`,
  );
}
