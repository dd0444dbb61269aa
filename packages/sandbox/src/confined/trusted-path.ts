// Where programs that run outside the sandbox are looked for. A folder that a confined command can write is left out: a program put
// there by one command would run outside with the next.
import { realpathSync } from "node:fs";
import { isWithin } from "./toolchains.ts";

const SYSTEM = [
  ...["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"],
  ...["/run/current-system/sw/bin", "/run/wrappers/bin"],
];

/** The system's folders, then those of the caller's PATH that lie outside the project. */
export function trustedPath(path = "", project: string | null = null): string {
  const outside = path.split(":").filter((folder) => folder.startsWith("/") && !leadsInto(folder, project));
  return [...new Set([...SYSTEM, ...outside])].join(":");
}

/** A folder that does not exist could be made, or made a link, later. */
function leadsInto(folder: string, project: string | null): boolean {
  if (project === null) return false;
  try {
    return isWithin(folder, project) || isWithin(realpathSync(folder), realpathSync(project));
  } catch {
    return true;
  }
}
