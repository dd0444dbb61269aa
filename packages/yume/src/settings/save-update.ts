// Keeps a change of permissions in the settings file that it names, beside whatever else is there. The file is replaced whole or
// not at all; one that is not JSON, or that a link leads out of the project, is left alone.
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { type PermissionUpdate, ruleText, type SettingsDestination } from "../permissions/permission-update.ts";
import type { SettingPlaces } from "./setting-sources.ts";

type Loose = Record<string, unknown>;

/** The file of a destination. */
function settingsFile(destination: SettingsDestination, { cwd, claudeFolder }: SettingPlaces): string {
  if (destination === "userSettings") return join(claudeFolder, "settings.json");
  return join(cwd, ".claude", destination === "localSettings" ? "settings.local.json" : "settings.json");
}

/** Write the change. Throws with words that say why it could not be kept. */
export function saveUpdate(update: PermissionUpdate, destination: SettingsDestination, places: SettingPlaces): void {
  const named = settingsFile(destination, places);
  mkdirSync(dirname(named), { recursive: true });
  const path = follow(named);
  if (destination !== "userSettings" && !isInside(path, realpathSync(places.cwd)))
    throw new Error(`${named} is a link out of the project`);
  const settings = read(path);
  const before = object(settings.permissions);
  const permissions = { ...before, ...changed(before, update) };
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    writeFileSync(temporary, `${JSON.stringify({ ...settings, permissions }, null, 2)}\n`, {
      flag: "wx",
      ...(mode === undefined ? {} : { mode: mode & 0o777 }),
    });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The part of `permissions` that changes. */
function changed(before: Loose, update: PermissionUpdate): Loose {
  switch (update.type) {
    case "setMode":
      return { defaultMode: update.mode };
    case "addDirectories":
      return { additionalDirectories: union(strings(before.additionalDirectories), update.directories) };
    case "removeDirectories":
      return { additionalDirectories: without(strings(before.additionalDirectories), update.directories) };
    default: {
      const texts = update.rules.map(ruleText);
      const rules = strings(before[update.behavior]);
      if (update.type === "addRules") return { [update.behavior]: union(rules, texts) };
      return { [update.behavior]: update.type === "replaceRules" ? union([], texts) : without(rules, texts) };
    }
  }
}

/** A link to a file of the user's own is followed, so that it stays a link. */
function follow(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realpathSync(dirname(path)), path.slice(dirname(path).length + 1));
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}

function read(path: string): Loose {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  if (text.trim() === "") return {};
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${path} is not a JSON object`);
  return value as Loose;
}

const union = (some: readonly string[], more: readonly string[]) => [...new Set([...some, ...more])];
const without = (some: readonly string[], less: readonly string[]) => some.filter((one) => !less.includes(one));

function object(value: unknown): Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
