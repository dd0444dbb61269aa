// The folders in which tools may work. Links and `..` are resolved before anything is compared.
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { nodeDisk } from "@hap/shell/disk";
import { realPath } from "@hap/shell/paths";

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
    const expanded = path === "~" || path.startsWith("~/") ? `${this.home}${path.slice(1)}` : path;
    return follow(isAbsolute(expanded) ? expanded : `${this.cwd}${sep}${expanded}`);
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

/** Every link followed, as the kernel does it; `..` behind a link counts from where the link leads. */
function follow(path: string): string {
  const disk = nodeDisk("");
  const plain = resolve(path);
  // What no program can open (a loop of links, `..` behind a missing folder) is judged by the name that the tool would use.
  const real = realPath(path, disk) ?? realPath(plain, disk);
  if (real !== undefined || process.platform !== "win32") return real?.path ?? plain;
  return existsSync(plain) ? realpathSync.native(plain) : plain;
}
