// Unified diffs (D14): one normal form to hash, so that the same change made twice is the same change.
// Times go, CRLF becomes LF, files are ordered by path and hunks by line. What is not a diff keeps its lines.
import { compareCodePoints } from "./key-order.ts";
import { type Hunk, parseDiff } from "./parse-diff.ts";

/** What a diff touches: one entry a file, with its line counts; `old_path` is there when the file moves. */
export type DiffFile = { path: string; old_path?: string; added: number; removed: number };

/** The text that `diff_hash` covers: every line ends with LF, the last one too. */
export function normaliseDiff(diff: string): string {
  const { preamble, files } = parseDiff(diff);
  const undated = (lines: string[]) => lines.filter((line) => files.length === 0 || !line.startsWith("Date: "));
  const ordered = [...files].sort((a, b) => compareCodePoints(a.paths.path, b.paths.path));
  const parts = ordered.flatMap((file) => {
    const hunks = [...file.hunks].sort((a, b) => a.oldStart - b.oldStart || a.newStart - b.newStart);
    return [file.header, ...hunks.map((hunk) => hunk.lines), undated(file.tail)];
  });
  const lines = [undated(preamble), ...parts].flat();
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/**
 * The files of a diff in its own order, with the lines that it adds and removes. Lines past a hunk's stated length count
 * too, and lines of a diff without any header count for a file without a name: a wrong header never makes it look small.
 */
export function diffFiles(diff: string): DiffFile[] {
  const { preamble, files } = parseDiff(diff);
  if (files.length === 0) {
    const counts = countLoose(preamble);
    return counts.added + counts.removed === 0 ? [] : [{ path: "", ...counts }];
  }
  return files.map((file) => {
    const parts = [...file.hunks.map(countHunk), countLoose(file.tail)];
    const { path, oldPath } = file.paths;
    const counts = { added: total(parts, "added"), removed: total(parts, "removed") };
    return { path, ...(oldPath === undefined ? {} : { old_path: oldPath }), ...counts };
  });
}

/** The files of the diff that lies in an intent's details; none where there is none. */
export function filesOfDetails(details: { readonly diff?: unknown }): DiffFile[] {
  return typeof details.diff === "string" ? diffFiles(details.diff) : [];
}

type Counts = { added: number; removed: number };

function countHunk(hunk: Hunk): Counts {
  const counts = { added: 0, removed: 0 };
  for (let i = 1; i < hunk.lines.length; i++) {
    const line = hunk.lines[i] as string;
    if (line.startsWith("\\")) continue;
    const marks = line.slice(0, hunk.columns);
    if (marks.includes("+")) counts.added++;
    if (marks.includes("-")) counts.removed++;
  }
  return counts;
}

/** Outside hunks a line counts by its first character; `-- ` and `---` only separate. */
function countLoose(lines: readonly string[]): Counts {
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => /^-(?!-[ -]?$)/.test(line)).length,
  };
}

function total(parts: readonly Counts[], key: keyof Counts): number {
  return parts.reduce((sum, part) => sum + part[key], 0);
}
