// Files that a call names, by their bytes: what a yes to the call is bound to (D17). Read when it is asked for, and again by whoever
// runs it.
import { hash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";

/** Files above this are bound by size and time, not read: whoever waits for a hook must not notice. */
const LARGEST_READ = 8 * 1024 * 1024;
const MOST_FILES = 64;

/** The words of a shell command that could be names, however they are quoted or joined. */
export function wordsOf(command: string): string[] {
  return command.split(/[\s;|&<>()'"`$=]+/);
}

/** Of these names, the files that are there: by real path, what each one's bytes are. */
export function hashNamedFiles(names: readonly string[], cwd: string): Record<string, string> {
  const few = [...new Set(names.filter((name) => name !== ""))].slice(0, MOST_FILES);
  return Object.fromEntries(
    few.flatMap((name) => {
      const path = resolve(cwd, name);
      const bytes = hashThere(path);
      return bytes === null ? [] : [[realpathSync(path), bytes]];
    }),
  );
}

function hashThere(path: string): string | null {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return null;
    if (stat.size > LARGEST_READ) return `size:${stat.size} mtime:${stat.mtimeMs}`;
    return `sha256:${hash("sha256", readFileSync(path), "hex")}`;
  } catch {
    return null;
  }
}
