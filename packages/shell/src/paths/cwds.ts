// Where a list of commands may be standing. `cd` can fail, so after it both folders are possible, except directly behind `&&`.
import type { ShellContext } from "../classification.ts";
import type { Disk } from "./disk.ts";
import { realPath } from "./real-path.ts";
import { boundary, isWithin, normalizePath, resolvePath } from "./resolve-path.ts";

const MOST = 8;
const LOST = { current: undefined, possible: undefined };

/** `current`: the folders possible here; `possible`: every folder seen so far; undefined: no longer known. */
export type Cwds = { readonly current: readonly string[] | undefined; readonly possible: readonly string[] | undefined };

/** Standing in the context's folder. A folder that is reached by a link is not one that `cd ..` leaves the way it looks. */
export function startIn(context: ShellContext): Cwds {
  if (!context.cwd.startsWith("/")) return LOST;
  const start = context.disk === undefined ? normalizePath(context.cwd) : realPath(context.cwd, context.disk)?.path;
  return start === undefined ? LOST : { current: [start], possible: [start] };
}

/**
 * After a `cd path` that succeeded. With a disk, a folder behind a link is lost: shells count `..` there by name. `always`: nothing
 * but the folder's absence could keep the command from running, so that where the folder exists, no other is possible.
 */
export function enter(cwds: Cwds, path: string | undefined, home: string | undefined, disk?: Disk, always = false): Cwds {
  const current = new Set<string>();
  let certain = disk !== undefined && always;
  for (const cwd of cwds.current ?? [undefined]) {
    const next = path === undefined ? undefined : resolvePath(path, cwd, home);
    if (next === undefined) return LOST;
    const real = disk === undefined ? undefined : realPath(next, disk);
    if (disk !== undefined && real?.path !== next) return LOST;
    if (real?.entry?.kind !== "folder" || !real.entry.executable) certain = false;
    current.add(next);
  }
  if (certain) return { current: [...current], possible: [...current] };
  const possible = new Set([...(cwds.possible ?? []), ...current]);
  return cwds.possible === undefined || possible.size > MOST ? LOST : { current: [...current], possible: [...possible] };
}

/** After `;`, `||` or a newline: nobody knows which `cd` succeeded. */
export function rejoin(cwds: Cwds): Cwds {
  return { current: cwds.possible, possible: cwds.possible };
}

/** Whether every folder in which the next command may stand is inside the project. */
export function allInside(cwds: Cwds, context: ShellContext): boolean {
  const named = boundary(context);
  const root = named === undefined || context.disk === undefined ? named : realPath(named, context.disk)?.path;
  return root !== undefined && cwds.current?.every((folder) => isWithin(folder, root)) === true;
}
