// Files of credentials below a folder: what a search through it would show.
import type { Disk } from "../paths/disk.ts";
import { isSecretPath } from "../paths/secret-files.ts";

const MOST = 3_000;

/** True also where the folder holds too much to be looked at. Links are not followed, as the search tools do not. */
export function holdsSecret(folder: string, hidden: boolean, disk: Disk, home: string | undefined): boolean {
  const found = walk(folder, hidden, disk, home);
  return !found.whole || found.secrets.length > 0;
}

/** Those that were found before the folder became too large; version control data and installed packages are left out. */
export function secretsBelow(folder: string, disk: Disk, home: string | undefined): readonly string[] {
  return walk(folder, true, disk, home, /^(?:\.git|node_modules)$/).secrets;
}

function walk(
  folder: string,
  hidden: boolean,
  disk: Disk,
  home: string | undefined,
  skip?: RegExp,
): { secrets: string[]; whole: boolean } {
  const rest = [folder];
  const secrets: string[] = [];
  let whole = true;
  let looked = 0;
  for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
    const names = disk.list(at);
    if (names === undefined) whole = false;
    for (const name of names ?? []) {
      if ((name.startsWith(".") && !hidden) || skip?.test(name) === true) continue;
      looked += 1;
      if (looked > MOST) return { secrets, whole: false };
      const path = `${at}/${name}`;
      const entry = disk.look(path);
      if (entry === undefined || (entry?.kind === "file" && entry.names > 1)) whole = false;
      if (entry?.kind === "link") continue;
      if (isSecretPath(path, home)) secrets.push(path);
      else if (entry?.kind === "folder") rest.push(path);
    }
  }
  return { secrets, whole };
}
