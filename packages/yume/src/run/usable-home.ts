// Whether this user's folder can hold our files. Some have none (a service, a container, /proc/nonexist): the run works all the same.
import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Null when it can, else why not. */
export function whyHomeUnusable(home: string): string | null {
  try {
    // Looked at first: making folders below one that can have none may never end.
    if (!statSync(home).isDirectory()) return `${home} is no folder`;
    mkdirSync(join(home, ".yume"), { recursive: true, mode: 0o700 });
    accessSync(join(home, ".yume"), constants.W_OK);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
