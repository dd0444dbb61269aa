// Writes the files of something new, and never over something that is there.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { TermError } from "../term-error.ts";

/** Write files into a folder; scripts can be run. */
export function writeNew(folder: string, files: Record<string, string>): void {
  const taken = Object.keys(files).find((name) => existsSync(join(folder, name)));
  if (taken !== undefined) throw new TermError("usage", `${resolve(folder, taken)} exists already; choose another folder.`);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    if (content.startsWith("#!")) chmodSync(path, 0o755);
    process.stdout.write(`${path}\n`);
  }
}
