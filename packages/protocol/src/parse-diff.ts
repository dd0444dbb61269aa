// Reads a unified diff into files and hunks, as its makers write it: git (combined diffs too), diff -u, svn.
// A hunk ends where its header's counts are used up, so that a removed line `-- x` is never taken for a file name.
import { nameLine, type Paths, pathsOfHeader, withoutTime } from "./diff-path.ts";

/** One hunk: its first old and its new line, its lines with the header first, and how many columns of marks they have. */
export type Hunk = { oldStart: number; newStart: number; columns: number; lines: string[] };
/** One file: lines before its hunks, the hunks, and lines after them that belong to none. */
export type FilePatch = { paths: Paths; header: string[]; hunks: Hunk[]; tail: string[] };

const hunkHeader = /^@(@+) ((?:-[0-9]{1,10}(?:,[0-9]{1,10})? )+)\+([0-9]{1,10})(?:,([0-9]{1,10}))? @\1/;
const fileStart = /^diff -\S+ /;

/** The files of a diff in their order, and the lines before the first one. Hunks without a name make a file without one. */
export function parseDiff(diff: string): { preamble: string[]; files: FilePatch[] } {
  const lines = diff.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const preamble: string[] = [];
  const files: FilePatch[] = [];
  let current: FilePatch | undefined;
  const open = (): FilePatch => {
    const file: FilePatch = { paths: { path: "" }, header: [], hunks: [], tail: [] };
    files.push(file);
    return file;
  };
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as string;
    const hunk = readHunk(lines, at);
    if (hunk !== undefined) {
      current ??= open();
      current.hunks.push(hunk);
      at += hunk.lines.length;
    } else if (isNamePair(lines, at)) {
      if (current === undefined || hasBody(current)) current = open();
      current.header.push(withoutTime(line), withoutTime(lines[at + 1] as string));
      at += 2;
    } else {
      if (startsFile(lines, at, current)) current = open();
      (current === undefined ? preamble : current.hunks.length === 0 ? current.header : current.tail).push(line);
      at++;
    }
  }
  for (const file of files) file.paths = pathsOfHeader(file.header);
  return { preamble, files };
}

function readHunk(lines: readonly string[], at: number): Hunk | undefined {
  const found = hunkHeader.exec(lines[at] as string);
  if (found === null) return undefined;
  const [, ats = "", oldRanges = "", newStart, newCount = "1"] = found;
  const olds = oldRanges
    .trim()
    .split(" ")
    .map((range) => range.slice(1).split(","));
  const columns = ats.length;
  if (olds.length !== columns) return undefined;
  const left = { old: olds.map(([, count = "1"]) => Number(count)), new: Number(newCount) };
  let end = at + 1;
  while (end < lines.length && takes(lines[end] as string, columns, left)) end++;
  return { oldStart: Number(olds[0]?.[0]), newStart: Number(newStart), columns, lines: lines.slice(at, end) };
}

/** Count one line against what its hunk still expects; false when the line is none of the hunk's. */
function takes(line: string, columns: number, left: { old: number[]; new: number }): boolean {
  if (line.startsWith("\\")) return true;
  if (left.new <= 0 && left.old.every((count) => count <= 0)) return false;
  let removed = false;
  for (let i = 0; i < columns; i++) {
    const mark = markAt(line, i);
    if (mark === "-") removed = true;
    else if (mark !== " " && mark !== "+") return false;
  }
  if (!removed) left.new--;
  for (let i = 0; i < columns; i++) if (markAt(line, i) === (removed ? "-" : " ")) left.old[i] = (left.old[i] as number) - 1;
  return true;
}

/** The mark in a column; a line that ends before it lost the spaces at its end. */
function markAt(line: string, column: number): string {
  return line[column] ?? " ";
}

function isNamePair(lines: readonly string[], at: number): boolean {
  return lines[at]?.startsWith("--- ") === true && lines[at + 1]?.startsWith("+++ ") === true;
}

/** True once a file has its names or hunks, so that another pair of names is another file. */
function hasBody(file: FilePatch): boolean {
  return file.hunks.length > 0 || nameLine(file.header) !== -1;
}

function startsFile(lines: readonly string[], at: number, current: FilePatch | undefined): boolean {
  const line = lines[at] as string;
  if (line.startsWith("Index: ")) return lines[at + 1]?.startsWith("====") === true;
  if (!fileStart.test(line)) return false;
  return current === undefined || hasBody(current) || current.header.some((other) => fileStart.test(other));
}
