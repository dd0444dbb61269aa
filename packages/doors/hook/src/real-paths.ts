// The real name of a path that a ticket shows.
import { resolve } from "node:path";
import { nodeDisk } from "@hap/shell/disk";
import { realPath as follow } from "@hap/shell/paths";

/** The path with every link in it followed; one that cannot be followed is shown as it was named. */
export function realPath(path: string, cwd: string): string {
  return follow(path.startsWith("/") ? path : `${cwd}/${path}`, nodeDisk(""))?.path ?? resolve(cwd, path);
}
