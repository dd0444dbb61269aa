// The program of an agent, found on PATH as a shell would find it.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The absolute path of a program, or null when PATH has none. Entries that are not absolute are skipped. */
export function findProgram(name: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string | null {
  const endings = platform === "win32" ? (env.PATHEXT ?? ".EXE;.CMD").split(";") : [""];
  const separator = platform === process.platform ? delimiter : platform === "win32" ? ";" : ":";
  for (const folder of (env.PATH ?? "").split(separator).filter(isAbsolutePath))
    for (const ending of endings) {
      const path = join(folder, `${name}${ending.toLowerCase()}`);
      if (isProgram(path)) return path;
    }
  return null;
}

function isAbsolutePath(folder: string): boolean {
  return folder.startsWith("/") || /^[A-Za-z]:[\\/]/.test(folder);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
