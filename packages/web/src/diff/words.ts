// Inside a changed line, the words that differ from the line that it stands for.
import { diffWordsWithSpace } from "diff";
import type { Line } from "./rows.ts";

export type Part = { text: string; changed: boolean };

/** Longer lines are shown as changed as a whole. */
const LONGEST = 600;

/** The parts of a line; null when the two have too little in common for it to help. */
export function changedParts(line: Line, partner: Line | undefined): Part[] | null {
  if (partner === undefined || line.text.length > LONGEST || partner.text.length > LONGEST) return null;
  const [before, after] = line.kind === "removed" ? [line.text, partner.text] : [partner.text, line.text];
  const parts = diffWordsWithSpace(before, after)
    .filter((part) => (line.kind === "removed" ? !part.added : !part.removed))
    .map((part) => ({ text: part.value, changed: part.added || part.removed }));
  const same = parts.filter(({ changed }) => !changed).reduce((sum, { text }) => sum + text.trim().length, 0);
  return same * 3 < line.text.trim().length ? null : parts;
}
