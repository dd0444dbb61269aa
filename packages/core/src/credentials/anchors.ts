// Anchors (D25): fingerprints pinned where an agent cannot write. A file counts only if it and every folder above it belong
// to root, and this process could not change them.
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Where root pins the keys of people. */
export const ANCHORS_FILE = "/etc/hap/anchors";

const STICKY = 0o1000;
const OTHERS_WRITE = 0o022;

/** The file of pinned fingerprints. It is read again each time: pinning and unpinning take effect at once. */
export class Anchors {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The fingerprints (`SHA256:...`) that begin a line of the file; none if the file does not count. */
  read(): ReadonlySet<string> {
    return new Set(this.#lines().map((line) => line.trim().split(/\s/, 1)[0] as string));
  }

  #lines(): string[] {
    try {
      const path = realpathSync(this.#path);
      return isOutOfReach(path) ? readFileSync(path, "utf8").split("\n") : [];
    } catch {
      // No file, or none that may be read: nothing is pinned.
      return [];
    }
  }
}

/** Root's, all the way up, and not for this process to write. Whoever is root can write everything. */
function isOutOfReach(path: string): boolean {
  if (process.getuid === undefined || process.getuid() === 0 || mayWrite(path)) return false;
  const file = statSync(path);
  if (!file.isFile() || file.uid !== 0 || (file.mode & OTHERS_WRITE) !== 0) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { uid, mode } = statSync(folder);
    // In a sticky folder nobody renames what is root's.
    if (uid !== 0 || ((mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
