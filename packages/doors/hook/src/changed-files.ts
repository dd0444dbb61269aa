// The effects of changing files that a tool, or a patch in a command, names. Links are followed.
import { classifyFileChange, type ShellContext } from "@hap/shell/paths";
import { readPatch } from "./file-change.ts";

export type ChangedFiles = { paths: string[]; effects: string[]; findings: string[] };

/**
 * How hosts read a path: trimmed and composed, as Claude Code does, and as it is. Each is judged, since a link may stand at one of
 * them only. The first is the one that is shown.
 */
export function readingsOf(path: string): readonly [string, ...string[]] {
  const trimmed = path.trim();
  const [first = path, ...others] = new Set([trimmed.normalize("NFC"), trimmed, path]);
  return [first, ...others];
}

/** What changing these files does. */
export function describeFiles(files: readonly { path: string; op: "write" | "delete" }[], place: ShellContext): ChangedFiles {
  const found = files.flatMap(({ path, op }) => readingsOf(path).map((one) => classifyFileChange({ path: one, op }, place)));
  return {
    paths: files.map(({ path }) => readingsOf(path)[0]),
    effects: [...new Set(found.flatMap(({ effects }) => effects))].sort(),
    findings: [...new Set(found.flatMap(({ findings }) => findings.map(({ what }) => what)))],
  };
}

/** A patch that HAP does not understand. */
export const UNREADABLE_PATCH: ChangedFiles = { paths: [], effects: ["unknown"], findings: ["the patch cannot be read"] };

/** What the patch in a shell command does, which Codex applies by itself; null where there is none. */
export function describePatchIn(command: string, place: ShellContext): ChangedFiles | null {
  const start = command.indexOf("*** Begin Patch");
  if (start < 0) return null;
  try {
    const files = readPatch(command.slice(start));
    return files === null ? UNREADABLE_PATCH : describeFiles(files, place);
  } catch {
    return UNREADABLE_PATCH;
  }
}
