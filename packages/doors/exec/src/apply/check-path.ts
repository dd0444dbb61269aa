// Where a diff may write: inside the project, never through a symbolic link, never into a repository's own files.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { HapError, quote } from "@hap/protocol";

/** What file systems that fold names would take for .git. */
const repository = /^(?:\.git|git~[0-9]+)[. ]*$/i;

function refuse(path: string, problem: string): HapError {
  return new HapError("invalid_input", `The diff names ${quote(path)}, which ${problem}: HAP does not apply that.`, {
    field: "diff",
    path,
  });
}

/** Refuse a path that leads out, through a link, or into `.git`. */
export function checkPath(root: string, path: string): void {
  const parts = path.split("/");
  if (path === "" || path.includes("\0") || path.includes("\\") || path.startsWith("/") || /^[A-Za-z]:/.test(path))
    throw refuse(path, "is no path inside the project");
  if (parts.some((part) => part === "" || part === "." || part === "..")) throw refuse(path, "leads out of the project");
  // Characters that some file systems ignore could hide the name.
  if (parts.some((part) => repository.test(part.normalize("NFKC").replaceAll(/\p{Cf}/gu, ""))))
    throw refuse(path, "lies in .git");
  let folder = root;
  parts.forEach((part, at) => {
    folder = join(folder, part);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) throw refuse(path, "goes through a symbolic link");
    if (found !== undefined && at < parts.length - 1 && !found.isDirectory()) throw refuse(path, "goes through a file");
    if (found !== undefined && at === parts.length - 1 && !found.isFile()) throw refuse(path, "is no plain file");
  });
}
