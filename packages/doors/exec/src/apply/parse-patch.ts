// Reads a plain unified diff byte for byte, strictly: what it cannot account for line by line is refused, not guessed. Pure.
import { HapError } from "@hap/protocol";

type Line = { mark: " " | "+" | "-"; text: string; ended: boolean };
export type PatchHunk = { oldStart: number; oldCount: number; lines: Line[] };
/** One file: `from` is null when it is created, `to` when it is deleted. `oldBlob` is git's abbreviated id of the bytes before. */
export type PatchFile = {
  from: string | null;
  to: string | null;
  copy: boolean;
  mode: string | null;
  oldBlob: string | null;
  hunks: PatchHunk[];
};

const hunkHeader = /^@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@/;
const headerLine =
  /^(?:diff --git |index |similarity index |dissimilarity index |rename |copy |old mode |new mode |new file mode |deleted file mode )/;

function refuse(problem: string): HapError {
  return new HapError("invalid_input", `The diff cannot be applied: ${problem}. Ask again with a plain unified diff.`, {
    field: "diff",
  });
}

/** Every file of the diff. */
export function parsePatch(diff: string): PatchFile[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const files: PatchFile[] = [];
  let at = 0;
  while (at < lines.length) {
    const header: string[] = [];
    while (at < lines.length && headerLine.test(lines[at] as string) && !(header.length > 0 && isStart(lines[at] as string)))
      header.push(lines[at++] as string);
    let names: [string, string] | null = null;
    if (lines[at]?.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) {
      names = [nameIn(lines[at] as string), nameIn(lines[at + 1] as string)];
      at += 2;
    }
    if (header.length === 0 && names === null) throw refuse(`line ${at + 1} belongs to no file`);
    const file = fileOf(header, names);
    while (at < lines.length && (lines[at] as string).startsWith("@@ ")) {
      const read = readHunk(lines, at);
      file.hunks.push(read.hunk);
      at = read.end;
    }
    if (names !== null && file.hunks.length === 0) throw refuse(`${file.to ?? file.from} has no hunk`);
    files.push(file);
  }
  if (files.length === 0) throw refuse("it is empty");
  return files;
}

function isStart(line: string): boolean {
  return line.startsWith("diff --git ");
}

/** A name without the time that some tools put behind a tab. */
function nameIn(line: string): string {
  const name = line.slice(4).split("\t")[0] as string;
  if (name.startsWith('"') || name.endsWith("\r")) throw refuse("a file name is quoted or ends oddly");
  return name;
}

function fileOf(header: readonly string[], names: [string, string] | null): PatchFile {
  const after = (start: string) => header.find((line) => line.startsWith(start))?.slice(start.length) ?? null;
  const mode = after("new file mode ") ?? after("new mode ");
  const oldBlob = /^([0-9a-f]{4,64})\.\./.exec(after("index ") ?? "")?.[1] ?? null;
  const rest = { mode, oldBlob, hunks: [] };
  const moved = after("rename from ") ?? after("copy from ");
  const target = after("rename to ") ?? after("copy to ");
  if (moved !== null && target !== null) return { ...rest, from: moved, to: target, copy: after("copy to ") !== null };
  const [before, now] = names ?? pairIn(after("diff --git ") ?? "");
  const gone = after("deleted file mode ") !== null || now === "/dev/null";
  const made = after("new file mode ") !== null || before === "/dev/null";
  const bare = (name: string, prefix: string) => (hasPrefixes(before, now) && name.startsWith(prefix) ? name.slice(2) : name);
  return { ...rest, from: made ? null : bare(before, "a/"), to: gone ? null : bare(now, "b/"), copy: false };
}

function hasPrefixes(before: string, now: string): boolean {
  return (before.startsWith("a/") || before === "/dev/null") && (now.startsWith("b/") || now === "/dev/null");
}

function pairIn(text: string): [string, string] {
  const middle = (text.length - 1) / 2;
  if (text[middle] !== " " || text.startsWith('"')) throw refuse("a file without content does not say its name plainly");
  return [text.slice(0, middle), text.slice(middle + 1)];
}

function readHunk(lines: readonly string[], start: number): { hunk: PatchHunk; end: number } {
  const found = hunkHeader.exec(lines[start] as string);
  if (found === null) throw refuse(`line ${start + 1} is no hunk's beginning`);
  const [, oldStart = "0", oldCount = "1", , newCount = "1"] = found;
  const left = { old: Number(oldCount), new: Number(newCount) };
  const hunk: PatchHunk = { oldStart: Number(oldStart), oldCount: left.old, lines: [] };
  let at = start + 1;
  for (; at < lines.length && (left.old > 0 || left.new > 0 || (lines[at] as string).startsWith("\\")); at++) {
    const line = lines[at] as string;
    const last = hunk.lines.at(-1);
    if (line.startsWith("\\")) {
      if (last === undefined) throw refuse(`line ${at + 1} ends nothing`);
      last.ended = false;
      continue;
    }
    // Some tools strip the blank of an empty line.
    const mark = line === "" ? " " : line[0];
    if (mark !== " " && mark !== "+" && mark !== "-") throw refuse(`line ${at + 1} is none of its hunk`);
    if (mark !== "+") left.old--;
    if (mark !== "-") left.new--;
    hunk.lines.push({ mark, text: line.slice(1), ended: true });
  }
  if (left.old !== 0 || left.new !== 0) throw refuse(`the hunk at line ${start + 1} does not have the lines that it says`);
  return { hunk, end: at };
}
