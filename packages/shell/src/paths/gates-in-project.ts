// The gate paths of one project, for a program that walks its tree: the same table that judges commands and file tools.
import type { Disk } from "./disk.ts";
import { isGatePath, shadowsProgram } from "./gate-files.ts";
import { realPath } from "./real-path.ts";

/** A test for absolute paths below `project`. Where the project itself lies says nothing about the files in it. */
export function gatesInProject(project: string, disk: Disk): (path: string) => boolean {
  const folders = pathFolders(disk);
  return (path) => isGatePath(`/project${path.slice(project.length)}`) || shadowsProgram(path, () => folders);
}

/** The folders of the PATH, as named and with links followed. */
export function pathFolders(disk: Disk): readonly string[] {
  const named = disk.path.filter((folder) => folder.startsWith("/")).map((folder) => folder.replace(/\/+$/, ""));
  return [...new Set([...named, ...named.flatMap((folder) => realPath(folder, disk)?.path ?? [])])];
}
