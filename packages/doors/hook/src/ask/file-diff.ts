// A change of a file as a unified diff, for the person: whole, with names that lead back to the project.
import { structuredPatch } from "diff";

/** Beyond this the two texts count as different from one end to the other. */
const LONGEST_SEARCH_MS = 1000;

/** `before` null: the file is new. */
export function unifiedDiff(path: string, before: string | null, after: string): string {
  const options = { context: 3, timeout: LONGEST_SEARCH_MS };
  const patch = structuredPatch(path, path, before ?? "", after, undefined, undefined, options);
  const hunks = patch?.hunks ?? [wholeFile(before ?? "", after)];
  const from = before === null ? "/dev/null" : `a/${path}`;
  return [`--- ${from}`, `+++ b/${path}`, ...hunks.flatMap(hunkLines), ""].join("\n");
}

type Hunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] };

function hunkLines({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string[] {
  // Of nothing, a diff names the line before it.
  const start = (first: number, count: number) => (count === 0 ? first - 1 : first);
  return [`@@ -${start(oldStart, oldLines)},${oldLines} +${start(newStart, newLines)},${newLines} @@`, ...lines];
}

function wholeFile(before: string, after: string): Hunk {
  const old = before.split("\n");
  const now = after.split("\n");
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines };
}

/** Codex's patch in the words of a unified diff. It names no lines, so every hunk says line 1; what changes is exact. */
export function patchDiff(patch: string): string {
  const out: string[] = [];
  let body: string[] = [];
  const flush = () => {
    const marked = body.map((line) => (/^[ +-]/.test(line) ? line : ` ${line}`));
    const removed = marked.filter((line) => !line.startsWith("+")).length;
    const added = marked.filter((line) => !line.startsWith("-")).length;
    if (marked.length > 0) out.push(`@@ -1,${removed} +1,${added} @@`, ...marked);
    body = [];
  };
  let path = "";
  for (const line of patch.trim().split(/\r?\n/)) {
    const [, verb, name = ""] = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(line) ?? [];
    if (verb === undefined) {
      if (line.startsWith("@@")) flush();
      else if (!line.startsWith("*** ")) body.push(line);
      continue;
    }
    flush();
    if (verb === "Move to") out.splice(-1, 1, `+++ b/${name}`);
    else {
      path = name;
      out.push(
        verb === "Add File" ? "--- /dev/null" : `--- a/${path}`,
        verb === "Delete File" ? "+++ /dev/null" : `+++ b/${path}`,
      );
    }
  }
  flush();
  return `${out.join("\n")}\n`;
}
