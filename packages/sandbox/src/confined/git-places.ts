// Where git keeps a project's data: its git dir, the common dir of its worktrees, hooks and configuration elsewhere. git itself is
// asked, which runs nothing for these questions; a confined command cannot write its configuration.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { GIT_GATE_NAMES } from "@hap/shell/paths";
import { SandboxError } from "../sandbox-error.ts";
import { rawOf } from "./raw-path.ts";
import { unlockFolder } from "./unlock-folder.ts";

/** What of git has to be kept as it is. */
export type GitPlaces = {
  /** The git dir and the common dir, which differ in a linked worktree; empty where there is no repository. */
  dirs: string[];
  /** Hooks and configuration files outside the git dirs, as far as they lie in the project. */
  also: string[];
};

const NONE: GitPlaces = { dirs: [], also: [] };

/** Find a project's repository. `path`: where to find git, see trusted-path.ts. */
export function findGitPlaces(project: string, path: string): GitPlaces {
  const dir = gitDirOf(project);
  if (dir === null) return NONE;
  unlockFolder(rawOf(dir), 0o700);
  return { dirs: [...new Set([dir, commonDirOf(dir)])], also: configured(project, path) };
}

const WORKTREE_GATE_NAMES = ["commondir", "gitdir", "config.worktree", "hooks", "rebase-merge", "rebase-apply", "sequencer"];

/** The paths that run code or lead git elsewhere, whether they exist or not. */
export function gitGatePaths({ dirs, also }: GitPlaces): string[] {
  const worktrees = dirs.flatMap(worktreesOf);
  for (const dir of [...dirs, ...worktrees]) unlockFolder(rawOf(dir), 0o700);
  return [
    ...dirs.flatMap((dir) => GIT_GATE_NAMES.map((name) => join(dir, name))),
    ...worktrees.flatMap((dir) => WORKTREE_GATE_NAMES.map((name) => join(dir, name))),
    ...also,
  ];
}

/** Git dirs of the worktrees that are linked to a common dir. */
function worktreesOf(common: string): string[] {
  unlockFolder(rawOf(common), 0o700);
  const folder = join(common, "worktrees");
  unlockFolder(rawOf(folder), 0o700);
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    ? readdirSync(folder).map((name) => join(folder, name))
    : [];
}

/** `.git` is a folder, or a file that names one. */
function gitDirOf(project: string): string | null {
  const path = join(project, ".git");
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isFile()) return realOrNull(path);
  const named = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(path, "utf8"))?.[1];
  return named === undefined ? null : realOrNull(resolve(project, named));
}

function commonDirOf(dir: string): string {
  const path = join(dir, "commondir");
  if (!existsSync(path)) return dir;
  return realOrNull(resolve(dir, readFileSync(path, "utf8").trim())) ?? dir;
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Files that hold configuration, and the folder of hooks, in the project. */
function configured(project: string, path: string): string[] {
  const asked = spawnSync("git", ["-C", project, "config", "--list", "--show-origin", "-z", "--includes"], {
    encoding: "utf8",
    timeout: 10_000,
    env: { PATH: path, HOME: process.env.HOME, LANG: "C.UTF-8" },
  });
  if (asked.error !== undefined)
    throw new SandboxError("place_refused", `git does not answer, so its hooks cannot be protected: ${asked.error.message}.`);
  const found = new Set<string>();
  const words = (asked.stdout ?? "").split("\0");
  for (let at = 0; at + 1 < words.length; at += 2) {
    const origin = words[at] as string;
    if (origin.startsWith("file:")) found.add(resolve(project, origin.slice("file:".length)));
    const [name, ...value] = (words[at + 1] as string).split("\n");
    if (name === "core.hookspath") found.add(resolve(project, expandHome(value.join("\n"))));
    if (name === "include.path" || name?.startsWith("includeif.") === true)
      found.add(resolve(dirname(resolve(project, origin.slice("file:".length))), expandHome(value.join("\n"))));
  }
  return [...found].filter((path) => path.startsWith(`${project}/`));
}

function expandHome(path: string): string {
  return path.startsWith("~/") ? join(process.env.HOME ?? "/", path.slice(2)) : path;
}
