// Applies hunks exactly where they say, or says why not: no offset, no fuzz, since what was approved is a change of these
// lines and not of similar ones elsewhere. Pure.
import type { PatchHunk } from "./parse-patch.ts";

/** The text after the hunks, or the reason why it is not the text that they were made for. */
export function applyHunks(before: string, hunks: readonly PatchHunk[]): { after: string } | { stale: string } {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const made: string[] = [];
  let at = 0;
  for (const { oldStart, oldCount, lines: changes } of hunks) {
    // A hunk without old lines names the line that it stands behind.
    const start = oldCount === 0 ? oldStart : oldStart - 1;
    if (start < at || start > lines.length) return { stale: `there is no line ${oldStart} where a hunk says` };
    made.push(...lines.slice(at, start));
    at = start;
    for (const { mark, text, ended } of changes) {
      const line = ended ? `${text}\n` : text;
      if (mark === "+") made.push(line);
      else {
        if (lines[at] !== line) return { stale: `line ${at + 1} is no longer what it was` };
        if (mark === " ") made.push(line);
        at++;
      }
    }
  }
  made.push(...lines.slice(at));
  return { after: made.join("") };
}
