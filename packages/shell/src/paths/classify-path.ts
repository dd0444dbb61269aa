// Says of one path where it lies and what it is. With a disk, links are followed and the worse of the path's own name and its real
// one counts; without one, by arithmetic alone.
import type { ShellContext } from "../classification.ts";
import type { Disk, DiskEntry } from "./disk.ts";
import { isGatePath } from "./gate-files.ts";
import { linkedTo } from "./hard-links.ts";
import { realPath } from "./real-path.ts";
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
  const root = boundary(context);
  const realRoot = root === undefined ? undefined : realPath(root, disk)?.path;
  const within = (where: string): boolean => realRoot !== undefined && isWithin(where, realRoot);
  const linked = linkedTo(real.entry, realRoot, context.home, disk);
  return {
    // A path may name the project by a link above it: then only its real name lies inside.
    inside: within(real.path) && (named.inside || within(named.resolved)),
    secret: named.secret || linked.secret || isSecretPath(real.path, context.home),
    gate: named.gate || linked.gate || isGatePath(real.path) || isOwnGate(real.path, context),
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

function isOwnGate(path: string, { gate }: ShellContext): boolean {
  return gate?.some((folder) => isWithin(path, folder)) === true;
}
