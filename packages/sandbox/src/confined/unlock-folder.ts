// A command can take away its user's own right to list or enter a folder. Files in it still count (git enters a folder that it
// cannot list), so the right is given back while the folder is looked at.
import { chmodSync, lstatSync } from "node:fs";
import { bytesOf } from "./raw-path.ts";

/** Add `mode` to a folder of this user that lacks it. Returns what restores the mode. */
export function unlockFolder(raw: string, mode: number): () => void {
  const stat = lstat(raw);
  if (stat?.isDirectory() !== true || stat.uid !== process.geteuid?.() || (stat.mode & mode) === mode) return () => {};
  chmodSync(bytesOf(raw), (stat.mode & 0o7777) | mode);
  return () => {
    const now = lstat(raw);
    if (now?.isDirectory() === true && now.ino === stat.ino) chmodSync(bytesOf(raw), stat.mode & 0o7777);
  };
}

function lstat(raw: string) {
  try {
    return lstatSync(bytesOf(raw), { throwIfNoEntry: false });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (["ENOTDIR", "EACCES", "ENAMETOOLONG"].includes(code)) return undefined;
    throw error;
  }
}
