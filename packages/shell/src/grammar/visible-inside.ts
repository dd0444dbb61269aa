// What a confined command sees of the machine: system folders read-only, and a /tmp of the session's own (D33). A path there needs
// nothing from outside. A path that only the running shell knows needs nothing either: the sandbox bounds it.
import type { Need } from "../effects.ts";
import { isWithin } from "../paths/resolve-path.ts";

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/dev", "/proc", "/sys"];
const OWN = ["/tmp", "/var/tmp", "/dev/shm"];

/** Undefined: the effect's own need holds. Null: the sandbox shows it, or bounds it. */
export function confinedNeed(paths: readonly string[] | undefined, op: "read" | "write", root: string): Need | null | undefined {
  if (paths === undefined) return null;
  // Beside a project that lies there itself, others' files do, too.
  const own = OWN.filter((folder) => !isWithin(root, folder));
  const folders = op === "read" ? [...SYSTEM, ...own] : own;
  const visible = (path: string): boolean =>
    (op === "read" && path === "/") || folders.some((folder) => isWithin(path, folder) && (op === "read" || path !== folder));
  return paths.every(visible) ? null : undefined;
}
