// What a file tool would make of a file: the text before and after, and how many lines change at most.
import { readFileSync, statSync } from "node:fs";
import { HookError } from "./hook-error.ts";
import { isObject, type JsonObject, word } from "./read-event.ts";

/** A file before and after. `before` is null for a new file; both are null when they cannot be shown as text. */
export type FileText = { before: string | null; after: string | null };

/** The largest file that is read to show a change. */
const LARGEST_FILE = 1024 * 1024;

/** The text of a file, null when there is none; a file that is no text, or too large, cannot be shown. */
export function readText(path: string): { exists: boolean; text: string | null } {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { exists: false, text: null };
  if (!stat.isFile() || stat.size > LARGEST_FILE) return { exists: true, text: null };
  const bytes = readFileSync(path);
  return { exists: true, text: bytes.includes(0) ? null : bytes.toString("utf8") };
}

/** The text after the edits of an Edit or MultiEdit call; null when one of them does not fit the file. */
export function applyEdits(text: string, input: JsonObject): string | null {
  let result = text;
  for (const edit of editsOf(input)) {
    const from = word(edit, "old_string") ?? "";
    const to = word(edit, "new_string") ?? "";
    if (from === "" && result === "") result = to;
    else if (from === "" || !result.includes(from)) return null;
    else result = edit.replace_all === true ? result.replaceAll(from, () => to) : result.replace(from, () => to);
  }
  return result;
}

/** The edits of a call: those of MultiEdit, else the one of Edit. */
export function editsOf(input: JsonObject): JsonObject[] {
  if (input.edits === undefined) return [input];
  if (!Array.isArray(input.edits) || !input.edits.every(isObject)) throw new HookError("edits must be a list of objects.");
  return input.edits;
}

/** From so many changed lines on, the draft's risk table calls a change large. */
export const LARGE_CHANGE = 200;

/** Changed lines at most: what is left when the same beginning and end are taken away. A replaced line counts once. */
export function roughlyChanged(before: string, after: string): number {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return Math.max(old.length, now.length) - start - end;
}

/** Where the texts cannot be compared: the lines that the edits hold. How often one fits a file that cannot be read is not known. */
export function statedLines(edits: readonly JsonObject[], exists: boolean): number {
  const count = (text: unknown) => (typeof text === "string" ? linesOf(text).length : 0);
  const lines = edits.map((edit) => {
    if (exists && edit.replace_all === true) return Number.POSITIVE_INFINITY;
    return Math.max(count(edit.old_string), count(edit.new_string) + count(edit.content) + count(edit.new_source));
  });
  return lines.reduce((sum, one) => sum + one, 0);
}

/** The changed lines of Codex's patch. Where removed and added lines follow each other, a replaced one counts once. */
export function patchedLines(patch: string): number {
  let [sum, removed, added] = [0, 0, 0];
  for (const line of [...linesOf(patch), ""]) {
    if (line.startsWith("-")) removed++;
    else if (line.startsWith("+")) added++;
    else {
      sum += Math.max(removed, added);
      [removed, added] = [0, 0];
    }
  }
  return sum;
}

/** The lines of a text. */
export function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** One file that a patch changes. */
export type PatchedFile = { path: string; op: "write" | "delete"; isNew: boolean };

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;
const MARKERS = new Set(["*** Begin Patch", "*** End Patch", "*** End of File"]);

/**
 * The files of a patch, read as Codex reads it: every line is trimmed before it is taken for a header, the patch may stand in a
 * here-document, and it ends at its first end mark. Null: Codex would not take it for a patch. A header that is not known could be
 * one that Codex knows, so it refuses the patch.
 */
export function readPatch(patch: string): PatchedFile[] | null {
  const lines = trimLine(patch).split("\n");
  if (/^<<(?:EOF|'EOF'|"EOF")$/.test(lines[0] ?? "") && /EOF$/.test(lines.at(-1) ?? "")) {
    lines.pop();
    lines.shift();
  }
  if (trimLine(lines[0] ?? "") !== "*** Begin Patch") return null;
  const files: PatchedFile[] = [];
  for (const line of lines.slice(1)) {
    const text = trimLine(line);
    if (!text.startsWith("***")) continue;
    const [, verb, path] = HEADER.exec(text) ?? [];
    if (verb !== undefined && path !== undefined)
      files.push({ path, op: verb === "Delete File" ? "delete" : "write", isNew: verb === "Add File" || verb === "Move to" });
    else if (!MARKERS.has(text))
      throw new HookError(
        `The patch has a line that HAP does not understand, so it is refused: ${JSON.stringify(text.slice(0, 80))}`,
      );
  }
  return files.length === 0 ? null : files;
}

/** White space as Rust counts it, and as JavaScript does: what either of them takes away is taken away. */
const SPACE = /[\s\u0085\uFEFF]/;

/** In linear time, which a pattern for white space at the end would not take. */
function trimLine(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACE.test(text.charAt(start))) start++;
  while (end > start && SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
