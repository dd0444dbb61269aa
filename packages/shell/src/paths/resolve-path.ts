// Path arithmetic without a disk: `.` and `..` are resolved in the text, symbolic links are not followed.
// Whoever holds a disk resolves links first; here everything that cannot be shown to be inside is outside.
import type { ShellContext } from "../classification.ts";

/** Not absolute, or somewhere an empty segment, `.` or `..`. */
const hasOddSegment = /^(?!\/)|\/\.{0,2}(?:\/|$)/;

/** An absolute path with `.`, `..` and doubled slashes removed. */
export function normalizePath(absolute: string): string {
  if (!hasOddSegment.test(absolute)) return absolute;
  const kept: string[] = [];
  for (const segment of absolute.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}

/** The absolute path that `path` means in `cwd`, or undefined when the text cannot tell (`~name`, no home, no cwd). */
export function resolvePath(path: string, cwd: string | undefined, home: string | undefined): string | undefined {
  if (path.startsWith("/")) return normalizePath(path);
  if (path.startsWith("~")) {
    if (home?.startsWith("/") !== true || (path !== "~" && !path.startsWith("~/"))) return undefined;
    return normalizePath(`${home}/${path.slice(1)}`);
  }
  return cwd?.startsWith("/") === true ? normalizePath(`${cwd}/${path}`) : undefined;
}

/** Whether `path` is `folder` or lies below it; both absolute and normalized. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** The project's root, or undefined where it is no real bound: relative, `/`, or a folder that holds the home folder. */
export function boundary(context: ShellContext): string | undefined {
  if (!context.projectRoot.startsWith("/")) return undefined;
  const root = normalizePath(context.projectRoot);
  const home = context.home === undefined ? undefined : normalizePath(context.home);
  if (root === "/" || (home !== undefined && home !== root && isWithin(home, root))) return undefined;
  return root;
}
