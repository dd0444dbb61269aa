// Path patterns of rules: `src/**` and `./src/**` from the working folder, `~/x` from home, `//x` from the root; a name
// without a slash matches at any depth. Pure.
import { join, posix, resolve } from "node:path";
import { globToRegExp } from "./glob.ts";

/** True when the pattern speaks of this absolute path (written with `/`). */
export function matchPath(pattern: string, path: string, roots: { cwd: string; home: string }): boolean {
  const from = (root: string, rest: string) => fits(posix.join(root.replaceAll("\\", "/"), rest), path);
  if (pattern.startsWith("//")) return fits(pattern.slice(1), path);
  if (pattern.startsWith("~/")) return from(roots.home, pattern.slice(2));
  if (/^[A-Za-z]:[\\/]/.test(pattern)) return fits(pattern.replaceAll("\\", "/"), path);
  if (pattern.startsWith("/")) return from(roots.cwd, pattern.slice(1)) || fits(pattern, path);
  const plain = pattern.replace(/^\.\//, "");
  return from(roots.cwd, plain) || (!plain.includes("/") && from(roots.cwd, `**/${plain}`));
}

function fits(glob: string, path: string): boolean {
  // A folder's pattern speaks of what is in it, too.
  return path === glob || globToRegExp(glob).test(path) || globToRegExp(`${glob.replace(/\/$/, "")}/**`).test(path);
}

/** The folder that a pattern names before its first wildcard; null when there is none. */
export function baseOf(pattern: string, { cwd, home }: { cwd: string; home: string }): string | null {
  const fixed = /^[^*?[{]*(?=\/[^/]*[*?[{])/.exec(pattern)?.[0];
  if (fixed === undefined || fixed.replace(/^\.?\/*/, "") === "") return null;
  if (fixed.startsWith("//")) return resolve(fixed.slice(1));
  if (fixed.startsWith("~/")) return join(home, fixed.slice(2));
  return resolve(cwd, fixed.replace(/^\//, ""));
}
