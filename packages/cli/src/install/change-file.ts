// A change of a settings file: shown first, then written whole beside the old one and put in its place.
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { HapError } from "@hap/protocol";

/** `null` is no file. */
export type FileChange = { path: string; before: string | null; after: string | null };

/** The text of a file, or null when there is none. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new HapError("invalid_input", `${path} cannot be read (${code}). Check its permissions.`, { path });
  }
}

/** Write it, if it is still what was shown. */
export function applyChange({ path, before, after }: FileChange): void {
  if (readIfThere(path) !== before)
    throw new HapError("invalid_input", `${path} changed meanwhile; nothing was written there. Run it again.`, { path });
  try {
    if (after === null) remove(path);
    else replace(path, after);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new HapError(
      "invalid_input",
      `${path} cannot be written (${code}). Check its permissions; managed settings need root.`,
      { path },
    );
  }
}

/** Remove a file, and the host's folder (`.claude`, `.codex`) around it when nothing else is in there. */
function remove(path: string): void {
  rmSync(path, { force: true });
  const folder = dirname(path);
  if (basename(folder).startsWith(".") && readdirSync(folder).length === 0) rmdirSync(folder);
}

function replace(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // A link stays a link; what it points to is written.
  const target = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(path) : path;
  // A key of a server is for nobody else's eyes.
  const fresh = text.includes("HAP_API_KEY=") ? 0o600 : 0o644;
  const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? fresh;
  const beside = `${target}.hap-${process.pid}`;
  writeFileSync(beside, text, { mode: mode & 0o777, flag: "wx" });
  renameSync(beside, target);
}
