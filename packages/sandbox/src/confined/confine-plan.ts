// Looks at the disk and decides what a confined command sees of it: which gates are read-only, and what of git is writable.
import { existsSync, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { hostFolders } from "../host-folders.ts";
import { SandboxError } from "../sandbox-error.ts";
import { findGates, type Gate, lookAtGate, MOST_FOLDERS } from "./find-gates.ts";
import { findGitPlaces, type GitPlaces, gitGatePaths } from "./git-places.ts";
import { cacheInside, type MountStep, planMounts } from "./mount-plan.ts";
import { rawOf, textOf } from "./raw-path.ts";
import { projectCache } from "./session-folder.ts";
import { findToolchains, isWithin } from "./toolchains.ts";
import { trustedPath } from "./trusted-path.ts";

export type Place = { project: string; cwd: string; home: string };

/** A plan, and what has to be compared afterwards. */
export type ConfinePlan = { steps: MountStep[]; gates: Gate[]; git: GitPlaces; path: string; cache: string };

/** Refuse places where confinement would have no effect. Returns them with every link followed. */
export function checkPlace({ project, cwd, home }: Place): Place {
  const real = { project: realpathSync(project), cwd: realpathSync(cwd), home: realpathSync(home) };
  if (isWithin(real.home, real.project) || real.project === "/" || SHARED.some((folder) => isWithin(folder, real.project)))
    throw new SandboxError(
      "place_refused",
      `The project is ${real.project}, which holds more than a project. Work in a folder below it.`,
    );
  if (!isWithin(real.cwd, real.project))
    throw new SandboxError(
      "place_refused",
      `The working folder ${real.cwd} is outside the project ${real.project}. Change into the project first.`,
    );
  return real;
}

const SHARED = ["/etc", "/usr", "/var", "/home", "/root", "/opt", "/srv", "/tmp", "/run"];

/** All gates of a project: those in the tree, and those in its git dirs. `path`: the session's PATH. */
export function listGates(project: string, git: GitPlaces, path: string, most?: number): Gate[] {
  const named = gitGatePaths(git).flatMap((name) => lookAtGate(rawOf(name)) ?? []);
  const found = findGates(project, path, most);
  const seen = new Set(found.map(({ raw }) => raw));
  return [...found, ...named.filter(({ raw }) => !seen.has(raw))];
}

export type PlanOptions = {
  /** The caller's PATH. */
  path: string;
  /** The session's folder in memory. */
  memory: string;
  gitWritable: boolean;
  /** HAP's own programs, which stay read-only where they are installed in the project. */
  own: readonly string[];
  bindable: (gate: Gate) => boolean;
};

/** Plan a run. Processes of the session are stopped meanwhile. */
export function planConfinement({ project, home }: Place, options: PlanOptions): ConfinePlan {
  const git = findGitPlaces(project, trustedPath(options.path, project));
  const gates = listGates(project, git, options.path, MOST_FOLDERS);
  const cache = projectCache(home, project);
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const toolchains = findToolchains({ home, path: options.path, writable: [project], exists: existsSync });
  const outside = git.dirs.filter((dir) => !isWithin(dir, project));
  const inside = git.dirs.filter((dir) => isWithin(dir, project));
  const keepsWritable = (path: string) => options.gitWritable && inside.includes(path);
  const strange = gates.find((gate) => gate.kind !== "link" && !options.bindable(gate));
  if (strange !== undefined)
    throw new SandboxError(
      "place_refused",
      `${JSON.stringify(textOf(strange.raw))} cannot be protected: its name is not UTF-8. Rename the folder.`,
    );
  const readOnly = gates
    .filter(({ kind }) => kind !== "link")
    .map(({ raw }) => textOf(raw))
    .filter((path) => !keepsWritable(path))
    // Inside a git dir that is read-only as a whole, nothing needs a mount of its own.
    .filter((path) => options.gitWritable || !git.dirs.some((dir) => path !== dir && isWithin(path, dir)));
  // A gate that is a link is protected where it leads, as far as a command could write there.
  const targets = gates
    .flatMap(({ kind, raw }) => (kind === "link" ? realTarget(textOf(raw)) : []))
    .filter((path) => isWithin(path, project));
  const steps = planMounts({
    system: hostFolders(false),
    home,
    project,
    session: { tmp: join(options.memory, "tmp"), varTmp: join(options.memory, "var-tmp"), home: join(options.memory, "home") },
    cache,
    toolchains: toolchains.show,
    gitOutside: outermost(outside).map((path) => ({ path, writable: options.gitWritable })),
    gitInside: options.gitWritable ? inside : [],
    readOnly: [...readOnly, ...targets, ...options.own.flatMap(realTarget).filter((path) => isWithin(path, project))],
  });
  return { steps, gates, git, path: toolchains.path, cache: cacheInside(home) };
}

/** Of folders in each other the outer one: a worktree's git dir lies in the common dir. */
function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
}

function realTarget(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

/** True for what can be named in a mount: a text that reads back as the same bytes. */
export function isNameable(gate: Gate): boolean {
  return rawOf(textOf(gate.raw)) === gate.raw && lstatSync(dirname(textOf(gate.raw)), { throwIfNoEntry: false }) !== undefined;
}
