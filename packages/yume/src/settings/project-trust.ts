// Whether the user trusts a project's own settings to allow something: as Claude Code keeps it (the answer to its trust question), or
// `trustedProjects` of yume-cli's configuration. A repository cannot trust itself.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SettingPlaces, SettingSource } from "./setting-sources.ts";

/** True for a trusted folder and for everything below one. */
export function isTrustedProject({ cwd, home, claudeFolder }: SettingPlaces, sources: readonly SettingSource[]): boolean {
  const own = sources
    .filter(({ name }) => name === "yume")
    .flatMap(({ value }) => (Array.isArray(value.trustedProjects) ? value.trustedProjects : []))
    .flatMap((path) => (typeof path === "string" ? [resolve(home, path.replace(/^~(?=\/|$)/, home))] : []));
  const accepted = acceptedIn(join(claudeFolder === join(home, ".claude") ? home : claudeFolder, ".claude.json"));
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (own.includes(folder) || accepted(folder)) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** Claude Code's own file; one that cannot be read trusts nothing. */
function acceptedIn(path: string): (folder: string) => boolean {
  try {
    const { projects } = JSON.parse(readFileSync(path, "utf8")) as { projects?: Record<string, Record<string, unknown>> };
    return (folder) =>
      typeof projects === "object" &&
      projects !== null &&
      Object.hasOwn(projects, folder) &&
      projects[folder]?.hasTrustDialogAccepted === true;
  } catch {
    return () => false;
  }
}
