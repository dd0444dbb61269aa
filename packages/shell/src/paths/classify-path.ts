// Classifies one path: inside the project or not, secret, gate path. With a disk, links are followed, and the worst of all readings
// counts: the name as given, as the kernel resolves it, and as a program does that removes `..` from the text first.
import type { ShellContext } from "../classification.ts";
import type { Disk, DiskEntry } from "./disk.ts";
import { isGatePath, shadowsProgram } from "./gate-files.ts";
import { pathFolders } from "./gates-in-project.ts";
import { armsGitFolder } from "./git-folder.ts";
import { linkedTo } from "./hard-links.ts";
import { type RealPath, realPath } from "./real-path.ts";
import { boundary, isWithin, resolvePath } from "./resolve-path.ts";
import { isSecretPath } from "./secret-files.ts";

/** What a path is: inside the project, a secret, a file that arms the gate. */
export type PathClass = {
  readonly inside: boolean;
  readonly secret: boolean;
  readonly gate: boolean;
  /** Without links where there is a disk; the path as given where it cannot be resolved. */
  readonly resolved: string;
  /** What stands there; null: nothing. Undefined: it cannot be told, or there is no disk. */
  readonly entry?: DiskEntry | null;
};

/** Classifies one path; `~` is expanded with `context.home`, and what cannot be resolved is outside. */
export function classifyPath(path: string, context: ShellContext, last: "follow" | "keep" = "follow"): PathClass {
  const resolved = resolvePath(path, context.cwd, context.home);
  const known = resolved ?? path;
  const root = boundary(context);
  const named = {
    inside: resolved !== undefined && root !== undefined && isWithin(resolved, root) && !path.includes("\0"),
    secret: isSecretPath(known, context.home),
    gate: isGatePath(known) || isOwnGate(known, context),
    resolved: known,
  };
  if (context.disk === undefined) return named;
  return onDisk(path, context, context.disk, named, last);
}

function onDisk(path: string, context: ShellContext, disk: Disk, named: PathClass, last: "follow" | "keep"): PathClass {
  const absolute = absoluteOf(path, context);
  const real = absolute === undefined ? undefined : realPath(absolute, disk, last);
  if (real === undefined) return { ...named, inside: false };
  const found = judge(real, context, disk, named);
  // A program that shortens `a/../b` to `b` opens another file where `a` is a link.
  const short = path.includes("..") && named.resolved !== absolute ? realPath(named.resolved, disk, last) : real;
  if (short === undefined) return { ...found, inside: false };
  if (short.path === real.path) return found;
  const other = judge(short, context, disk, named);
  return { ...found, inside: found.inside && other.inside, secret: found.secret || other.secret, gate: found.gate || other.gate };
}

function judge(real: RealPath, context: ShellContext, disk: Disk, named: PathClass): PathClass {
  const root = boundary(context);
  const realRoot = root === undefined ? undefined : realPath(root, disk)?.path;
  const within = (where: string): boolean => realRoot !== undefined && isWithin(where, realRoot);
  const linked = linkedTo(real.entry, realRoot, context.home, disk);
  return {
    // A path may name the project by a link above it: then only its real name lies inside.
    inside: within(real.path) && (named.inside || within(named.resolved)),
    secret: named.secret || linked.secret || isSecretPath(real.path, context.home),
    gate:
      named.gate ||
      linked.gate ||
      isGatePath(real.path) ||
      isOwnGate(real.path, context) ||
      (within(real.path) && runsByItself(real.path, disk)),
    resolved: real.path,
    entry: real.entry,
  };
}

/** The text of the path from the root, `..` still in it: behind a link it means something else than arithmetic says. */
function absoluteOf(path: string, { cwd, home }: ShellContext): string | undefined {
  if (path.startsWith("/")) return path;
  if (path === "~" || path.startsWith("~/")) return home?.startsWith("/") === true ? `${home}${path.slice(1)}` : undefined;
  return cwd.startsWith("/") && !path.startsWith("~") ? `${cwd}/${path}` : undefined;
}

/** A part of a git folder of any name, or a program in the place of a system program. */
function runsByItself(path: string, disk: Disk): boolean {
  return armsGitFolder(path, (name) => disk.look(name) != null) || shadowsProgram(path, () => pathFolders(disk));
}

function isOwnGate(path: string, { gate }: ShellContext): boolean {
  return gate?.some((folder) => isWithin(path, folder)) === true;
}
