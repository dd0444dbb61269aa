// Unified diffs (D14): one normal form to hash, so that the same change made twice is the same change.
// Timestamps go, CRLF becomes LF, files are ordered by path and hunks by line. What is not a diff is left as it is.
import { compareCodePoints } from "./canonical-json.ts";

type Hunk = { oldStart: number; newStart: number; lines: string[] };
type FilePatch = { path: string; header: string[]; hunks: Hunk[] };

/** What a diff touches: one entry a file, with its line counts. */
export type DiffFile = { path: string; added: number; removed: number };

const hunkHeader = /^@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@/;

/** The text that `diff_hash` covers. */
export function normaliseDiff(diff: string): string {
  const { preamble, files } = parse(diff);
  const ordered = [...files].sort((a, b) => compareCodePoints(a.path, b.path));
  const lines = preamble.filter((line) => files.length === 0 || !line.startsWith("Date: "));
  for (const file of ordered) {
    lines.push(...file.header);
    const hunks = [...file.hunks].sort((a, b) => a.oldStart - b.oldStart || a.newStart - b.newStart);
    for (const hunk of hunks) lines.push(...hunk.lines);
  }
  return `${lines.join("\n")}\n`;
}

/** The files of a diff in its own order, with the lines that it adds and removes. */
export function diffFiles(diff: string): DiffFile[] {
  return parse(diff).files.map((file) => {
    const body = file.hunks.flatMap((hunk) => hunk.lines.slice(1));
    return {
      path: file.path,
      added: body.filter((line) => line.startsWith("+")).length,
      removed: body.filter((line) => line.startsWith("-")).length,
    };
  });
}

function parse(diff: string): { preamble: string[]; files: FilePatch[] } {
  const lines = diff.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const preamble: string[] = [];
  const files: FilePatch[] = [];
  let current: FilePatch | undefined;
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as string;
    const hunk = hunkHeader.exec(line);
    if (hunk !== null && current !== undefined) {
      const end = hunkEnd(lines, at + 1, Number(hunk[2] ?? 1), Number(hunk[4] ?? 1));
      current.hunks.push({ oldStart: Number(hunk[1]), newStart: Number(hunk[3]), lines: lines.slice(at, end) });
      at = end;
      continue;
    }
    const startsFile = line.startsWith("diff --git ") || (isOldName(lines, at) && (current === undefined || hasNames(current)));
    if (startsFile) {
      current = { path: "", header: [], hunks: [] };
      files.push(current);
    }
    if (current === undefined) preamble.push(line);
    else addHeaderLine(current, line);
    at++;
  }
  return { preamble, files };
}

/** A hunk ends where its header's counts are used up, so that a removed line `-- x` is no file name. */
function hunkEnd(lines: readonly string[], start: number, oldCount: number, newCount: number): number {
  let at = start;
  let oldLeft = oldCount;
  let newLeft = newCount;
  while (at < lines.length) {
    const mark = lines[at]?.[0] ?? " ";
    if (mark === "\\") at++;
    else if (oldLeft <= 0 && newLeft <= 0) break;
    else {
      if (mark !== "+") oldLeft--;
      if (mark !== "-") newLeft--;
      at++;
    }
  }
  return at;
}

function isOldName(lines: readonly string[], at: number): boolean {
  return lines[at]?.startsWith("--- ") === true && lines[at + 1]?.startsWith("+++ ") === true;
}

function hasNames(file: FilePatch): boolean {
  return file.header.some((line) => line.startsWith("+++ "));
}

function addHeaderLine(file: FilePatch, line: string): void {
  if (line.startsWith("diff --git ")) file.path = gitPath(line.slice("diff --git ".length));
  const isName = line.startsWith("--- ") || line.startsWith("+++ ");
  const clean = isName ? withoutTimestamp(line) : line;
  if (isName) {
    const name = stripPrefix(clean.slice(4));
    if (name !== "/dev/null") file.path = name;
  }
  file.header.push(clean);
}

/** Diff tools put a tab before the time; a path itself never holds a bare tab. */
function withoutTimestamp(line: string): string {
  const tab = line.indexOf("\t");
  return tab === -1 ? line : line.slice(0, tab);
}

/** The new path of `a/x b/x`: the halves are alike unless the file was renamed, when `+++` or `rename to` says more. */
function gitPath(names: string): string {
  const half = names.slice((names.length + 1) / 2);
  return stripPrefix(half);
}

function stripPrefix(name: string): string {
  return name.replace(/^"?[abciow]\//, "").replace(/"$/, "");
}
