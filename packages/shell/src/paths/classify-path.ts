// Says of one path where it lies and what it is, by arithmetic alone (see resolve-path.ts on symbolic links).
import type { ShellContext } from "../classification.ts";
import { isGatePath } from "./gate-files.ts";
import { boundary, isWithin, resolvePath } from "./resolve-path.ts";
import { isSecretPath } from "./secret-files.ts";

/** What a path is: inside the project, a secret, a file that arms the gate. */
export type PathClass = { readonly inside: boolean; readonly secret: boolean; readonly gate: boolean; readonly resolved: string };

/** Classifies one path; `~` is expanded with `context.home`, and what cannot be resolved is outside. */
export function classifyPath(path: string, context: ShellContext): PathClass {
  const resolved = resolvePath(path, context.cwd, context.home);
  const root = boundary(context);
  const known = resolved ?? path;
  const inside = resolved !== undefined && root !== undefined && isWithin(resolved, root) && !path.includes("\0");
  return { inside, secret: isSecretPath(known), gate: isGatePath(known), resolved: known };
}
