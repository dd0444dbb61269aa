// Which repository git would use from a folder, and whether anything in it makes a verb of the allowlist run a program: a hook, a
// filter, a signing program. Only a repository whose folder is a gate path counts: its configuration is the person's own.
import type { ShellContext } from "../classification.ts";
import type { Disk } from "../paths/disk.ts";
import { realPath } from "../paths/real-path.ts";
import { boundary, isWithin } from "../paths/resolve-path.ts";
import { programsOf, readGitSettings } from "./git-config.ts";
import type { GitUse, Reading } from "./reading.ts";

const SYSTEM_CONFIGS = [
  "/etc/gitconfig",
  "/usr/local/etc/gitconfig",
  "/opt/homebrew/etc/gitconfig",
  "/Library/Developer/CommandLineTools/usr/share/git-core/gitconfig",
];

/** Whether git may be used this way in this folder. `wrote`: a command before it in the same list changed files. */
export function isProvenGit(reading: Reading, cwd: string, context: ShellContext, wrote: boolean): boolean {
  const use = reading.git as GitUse;
  const root = boundary(context);
  if (context.disk === undefined) return cwd === root && (use === "shows" || use === "diffs");
  const { disk, home } = context;
  if (root === undefined || home === undefined) return false;
  const repository = findRepository(cwd, realPath(root, disk)?.path ?? root, disk);
  if (repository === undefined || (wrote && repository.level !== cwd)) return false;
  const { folder } = repository;
  // Without a repository `git diff` compares whole folders, credentials in them included.
  if (folder === null) return !wrote && (use === "shows" || use === "diffs") && reading.contents.length === 0;
  const common = commonFolder(folder, disk);
  if (common === undefined) return false;
  const configs = [`${home}/.gitconfig`, `${home}/.config/git/config`, `${common}/config`, `${folder}/config.worktree`];
  const settings = readGitSettings([...SYSTEM_CONFIGS, ...configs], home, disk);
  const programs = settings === undefined ? undefined : programsOf(settings);
  if (programs === undefined || (programs.filters && use !== "shows") || (programs.signs && use === "refs")) return false;
  const hooks = hooksIn(hooksFolder(programs.hooksPath, repository.level, common, home), disk);
  if (hooks === undefined) return false;
  return use === "shows" || use === "diffs" ? !hooks.includes("post-index-change") : hooks.length === 0;
}

/** The first repository from a folder upwards; `folder` null: none up to the project's root. Undefined: it cannot be told. */
function findRepository(cwd: string, root: string, disk: Disk): { level: string; folder: string | null } | undefined {
  for (let level = cwd; ; level = level.slice(0, level.lastIndexOf("/"))) {
    if (!isWithin(level, root)) return { level: root, folder: null };
    const dotGit = realPath(`${level}/.git`, disk);
    if (dotGit === undefined) return undefined;
    if (dotGit.entry?.kind === "folder" && isGitFolder(dotGit.path, disk)) return { level, folder: dotGit.path };
    if (dotGit.entry?.kind === "file") {
      const folder = pointedAt(disk.read(dotGit.path), level, disk);
      return folder === undefined ? undefined : { level, folder };
    }
    // A bare repository brings a configuration of its own, and its names are no gate paths.
    if (disk.look(`${level}/HEAD`) !== null) return undefined;
  }
}

function isGitFolder(folder: string, disk: Disk): boolean {
  return ["HEAD", "objects", "refs"].every((name) => disk.look(`${folder}/${name}`) != null);
}

function pointedAt(text: string | null | undefined, level: string, disk: Disk): string | undefined {
  const target = /^gitdir: (.+?)\n?$/.exec(text ?? "")?.[1];
  if (target === undefined) return undefined;
  const real = realPath(target.startsWith("/") ? target : `${level}/${target}`, disk);
  return real?.entry?.kind === "folder" ? real.path : undefined;
}

function commonFolder(folder: string, disk: Disk): string | undefined {
  const entry = disk.look(`${folder}/commondir`);
  if (entry === null) return folder;
  const target = entry?.kind === "file" ? disk.read(`${folder}/commondir`)?.trim() : undefined;
  if (target === undefined || target === "") return undefined;
  return realPath(target.startsWith("/") ? target : `${folder}/${target}`, disk)?.path;
}

function hooksFolder(path: string | undefined, level: string, common: string, home: string): string {
  if (path === undefined || path === "") return `${common}/hooks`;
  if (path.startsWith("~/")) return `${home}/${path.slice(2)}`;
  return path.startsWith("/") ? path : `${level}/${path}`;
}

/** The hooks that git would run; undefined: it cannot be told. */
function hooksIn(folder: string, disk: Disk): readonly string[] | undefined {
  const real = realPath(folder, disk);
  if (real === undefined) return undefined;
  if (real.entry?.kind !== "folder") return [];
  const names = disk.list(real.path);
  return names?.filter((name) => !name.endsWith(".sample"));
}
