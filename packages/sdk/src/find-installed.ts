// Finds the other parts of this installation on disk. A checkout and the published `hap` package have the same layout
// (`packages/web/dist`, `sdks/python`, ...), so a part is found by its path from the first folder above that has it.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The absolute path of `part`, looked for in every folder above the module at `url`; null where it was not installed. */
export function findInstalled(url: string, part: string): string | null {
  for (let folder = dirname(fileURLToPath(url)); ; folder = dirname(folder)) {
    const found = join(folder, part);
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) return null;
  }
}
