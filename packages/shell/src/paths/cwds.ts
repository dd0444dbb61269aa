// Where a list of commands may be standing. `cd` can fail, so after it both folders are possible, except directly behind `&&`.
import type { ShellContext } from "../classification.ts";
import { boundary, isWithin, normalizePath, resolvePath } from "./resolve-path.ts";

const MOST = 8;
const LOST = { current: undefined, possible: undefined };

/** `current`: the folders possible here; `possible`: every folder seen so far; undefined: no longer known. */
export type Cwds = { readonly current: readonly string[] | undefined; readonly possible: readonly string[] | undefined };

/** Standing in the context's folder. */
export function startIn(context: ShellContext): Cwds {
  const start = context.cwd.startsWith("/") ? [normalizePath(context.cwd)] : undefined;
  return { current: start, possible: start };
}

/** After a `cd path` that succeeded. */
export function enter(cwds: Cwds, path: string | undefined, home: string | undefined): Cwds {
  const current = new Set<string>();
  for (const cwd of cwds.current ?? [undefined]) {
    const next = path === undefined ? undefined : resolvePath(path, cwd, home);
    if (next === undefined) return LOST;
    current.add(next);
  }
  const possible = new Set([...(cwds.possible ?? []), ...current]);
  return cwds.possible === undefined || possible.size > MOST ? LOST : { current: [...current], possible: [...possible] };
}

/** After `;`, `||` or a newline: nobody knows which `cd` succeeded. */
export function rejoin(cwds: Cwds): Cwds {
  return { current: cwds.possible, possible: cwds.possible };
}

/** Whether every folder in which the next command may stand is inside the project. */
export function allInside(cwds: Cwds, context: ShellContext): boolean {
  const root = boundary(context);
  return root !== undefined && cwds.current?.every((folder) => isWithin(folder, root)) === true;
}
