// The project that a command is about: the nearest folder, from here upwards, that holds .git or .hap.
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The folder, or null. A home folder and what lies above it is nobody's project, whatever it holds. */
export function findProject(cwd: string, home: string): string | null {
  for (let folder = cwd; !holdsHome(folder, home); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git")) || existsSync(join(folder, ".hap"))) return folder;
    if (folder === dirname(folder)) return null;
  }
  return null;
}

function holdsHome(folder: string, home: string): boolean {
  const path = relative(folder, home);
  return path === "" || !(path.startsWith("..") || resolve(path) === path);
}
