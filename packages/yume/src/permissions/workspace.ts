// The folders in which tools may work. Links and `..` are resolved before anything is compared.
import { readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

export class Workspace {
  readonly cwd: string;
  readonly home: string;
  #roots: string[];

  constructor(cwd: string, more: readonly string[] = [], home = homedir()) {
    this.cwd = realpathSync(cwd);
    this.home = home;
    this.#roots = [this.cwd];
    for (const folder of more) this.add(folder);
  }

  get roots(): readonly string[] {
    return this.#roots;
  }

  /** Let tools work in another folder, too. */
  add(folder: string): void {
    this.#roots.push(this.resolve(folder));
  }

  remove(folder: string): void {
    const path = this.resolve(folder);
    this.#roots = this.#roots.filter((root, index) => index === 0 || root !== path);
  }

  /** The real path of what a tool was given: absolute, every link on the way followed, whether or not it exists. */
  resolve(path: string): string {
    const expanded = path === "~" || path.startsWith("~/") ? join(this.home, path.slice(1)) : path;
    return realish(isAbsolute(expanded) ? resolve(expanded) : resolve(this.cwd, expanded));
  }

  /** True when a resolved path lies in one of the folders. */
  holds(resolved: string): boolean {
    return this.#roots.some((root) => {
      const way = relative(root, resolved);
      return way === "" || (!way.startsWith(`..${sep}`) && way !== ".." && !isAbsolute(way));
    });
  }

  /** How a path is shown: from the working folder when it lies in it. */
  show(resolved: string): string {
    const way = relative(this.cwd, resolved);
    return way !== "" && !way.startsWith("..") && !isAbsolute(way) ? way : resolved;
  }
}

/** realpath of the part that exists; the rest as it is. A link that leads nowhere is followed by its text. */
function realish(path: string): string {
  const rest: string[] = [];
  let current = path;
  for (;;) {
    try {
      return join(realpathSync(current), ...rest);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
      const followed = danglingTarget(current);
      if (followed !== null) {
        current = followed;
        continue;
      }
      const parent = dirname(current);
      if (parent === current) return join(current, ...rest);
      rest.unshift(current.slice(parent.length).replace(/^[\\/]/, ""));
      current = parent;
    }
  }
}

function danglingTarget(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return null;
  }
}
