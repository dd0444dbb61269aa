// Writes what was planned: each file beside its place first, then all of them put there, then read again.
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { HapError } from "@hap/protocol";
import { type Change, readText } from "./plan-changes.ts";

export function writeChanges(root: string, changes: readonly Change[], tag: string): void {
  const staged: { from: string; to: string }[] = [];
  try {
    for (const { path, after, mode } of changes) {
      if (after === null) continue;
      const to = join(root, path);
      mkdirSync(dirname(to), { recursive: true });
      const from = join(dirname(to), `.${basename(to)}.${tag}`);
      writeWhole(from, after, mode);
      staged.push({ from, to });
    }
    for (const { from, to } of staged) renameSync(from, to);
    for (const { path, after } of changes) if (after === null) unlinkSync(join(root, path));
  } finally {
    for (const { from } of staged) rmSync(from, { force: true });
  }
  for (const { path, after } of changes) {
    const place = join(root, path);
    const found = existsSync(place) ? readText(place) : null;
    if (found !== after)
      throw new HapError(
        "binding_stale",
        `${path} is not what was written: something else changes it. Look at it before you go on.`,
        { path },
      );
  }
}

/** A new file only: whatever lies there already is not ours to write through. */
function writeWhole(path: string, text: string, mode: number): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
