// What a confined command sees, as an ordered list of mounts (D30): an allow-list of the system and toolchains, an empty home,
// the project writable, and everything that arms a gate read-only. Pure.
import { dirname } from "node:path";
import type { SystemFolders } from "../allow-list.ts";
import { isWithin } from "./toolchains.ts";

/** One step; later ones lie over earlier ones. */
export type MountStep =
  | { do: "bind"; from: string; at: string; writable: boolean }
  | { do: "link"; at: string; target: string }
  | { do: "folder"; at: string };

export type MountFacts = {
  system: SystemFolders;
  home: string;
  project: string;
  /** Folders of the session: they last as long as it does. */
  session: { tmp: string; varTmp: string; home: string };
  /** The project's own cache. */
  cache: string;
  toolchains: readonly string[];
  /** Folders outside the project that hold its repository. */
  gitOutside: readonly { path: string; writable: boolean }[];
  /** Git dirs in the project that stay writable. */
  gitInside: readonly string[];
  /** Files and folders that are read-only although they lie in something writable. All of them exist. */
  readOnly: readonly string[];
};

/** Where a project's cache is inside. */
export function cacheInside(home: string): string {
  return `${home}/.cache`;
}

/** The mounts, in order. */
export function planMounts(facts: MountFacts): MountStep[] {
  const { system, home, project, session, cache, toolchains, gitOutside, gitInside, readOnly } = facts;
  const bind = (from: string, at: string, writable: boolean): MountStep => ({ do: "bind", from, at, writable });
  const itself = (path: string, writable: boolean) => bind(path, path, writable);
  const roots = [project, ...gitOutside.map(({ path }) => path)];
  const strict = readOnly.filter((path) => !readOnly.some((other) => other !== path && isWithin(path, other)));
  // A folder that is a mount cannot be renamed: whatever lies above a protected path is one.
  const holders = new Set([...strict, ...gitInside].flatMap((path) => between(path, roots)));
  const within = [
    ...[...new Set([...holders, ...gitInside])].map((path) => ({ path, writable: true })),
    ...[...new Set(strict)].map((path) => ({ path, writable: false })),
  ];
  return [
    ...system.bind.map((path) => itself(path, false)),
    ...system.links.map(({ path, target }): MountStep => ({ do: "link", at: path, target })),
    bind(session.tmp, "/tmp", true),
    bind(session.varTmp, "/var/tmp", true),
    { do: "folder", at: "/run" },
    bind(session.home, home, true),
    ...toolchains.map((path) => itself(path, false)),
    bind(cache, cacheInside(home), true),
    ...gitOutside.filter(({ path }) => !isWithin(project, path)).map(({ path, writable }) => itself(path, writable)),
    itself(project, true),
    ...gitOutside.filter(({ path }) => isWithin(project, path)).map(({ path, writable }) => itself(path, writable)),
    ...within.toSorted((a, b) => depth(a.path) - depth(b.path)).map(({ path, writable }) => itself(path, writable)),
  ];
}

/** Folders strictly between a root that is a mount already and a path. */
function between(path: string, roots: readonly string[]): string[] {
  const found: string[] = [];
  for (let above = dirname(path); !roots.includes(above) && roots.some((root) => isWithin(above, root)); above = dirname(above))
    found.push(above);
  return found;
}

function depth(path: string): number {
  return path.split("/").length;
}
