// `@hap/shell/disk`: this machine's disk, for `ShellContext.disk`. The only part of the package that touches one; it reads, and
// nothing else. Whatever cannot be read "cannot be told", which is never proven.
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import type { Disk, DiskEntry } from "./paths/disk.ts";

/** Configuration files are small; what is larger is not read. */
const LARGEST = 256 * 1024;

/** The disk, with the folders in which the caller's shell looks for programs (PATH). */
export function nodeDisk(path: string): Disk {
  const seen = new Map<string, DiskEntry | null | undefined>();
  return {
    path: path.split(":"),
    look(name) {
      if (!seen.has(name)) seen.set(name, look(name));
      return seen.get(name);
    },
    list(name) {
      try {
        return readdirSync(name);
      } catch {
        return undefined;
      }
    },
    read,
  };
}

function look(path: string): DiskEntry | null | undefined {
  try {
    const stat = lstatSync(path);
    const kind = stat.isFile() ? "file" : stat.isDirectory() ? "folder" : stat.isSymbolicLink() ? "link" : "other";
    return {
      kind,
      id: `${stat.dev}:${stat.ino}`,
      names: kind === "folder" ? 1 : stat.nlink,
      // A folder counts only when everybody may enter it: whose rights count is not asked.
      executable: kind === "folder" ? (stat.mode & 0o111) === 0o111 : (stat.mode & 0o111) !== 0,
      ...(kind === "link" ? { target: readlinkSync(path) } : {}),
    };
  } catch (error) {
    return isAbsent(error) ? null : undefined;
  }
}

function read(path: string): string | null | undefined {
  let file: number | undefined;
  try {
    // Without waiting: a pipe in the place of a file must not hold up the gate.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > LARGEST) return undefined;
    const bytes = Buffer.alloc(stat.size);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, stat.size, 0));
  } catch (error) {
    return isAbsent(error) ? null : undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
