// A hunk as lines with their numbers, and as pairs for showing old and new side by side. Pure; nothing is left out.
import type { Hunk } from "@hap/protocol";

export type Line = {
  kind: "same" | "added" | "removed" | "note";
  /** The marks of the diff itself: one column, or several in a combined diff. */
  mark: string;
  text: string;
  oldNumber: number | null;
  newNumber: number | null;
  /** Where the line stands in its hunk, for its colours. */
  at: number;
};

/** The lines of a hunk under its header. */
export function linesOf(hunk: Hunk): Line[] {
  let [oldNumber, newNumber] = [hunk.oldStart, hunk.newStart];
  return hunk.lines.slice(1).map((line, at): Line => {
    if (line.startsWith("\\")) return { kind: "note", mark: "", text: line, oldNumber: null, newNumber: null, at };
    const mark = line.slice(0, hunk.columns);
    const text = line.slice(hunk.columns);
    if (mark.includes("-")) return { kind: "removed", mark, text, oldNumber: oldNumber++, newNumber: null, at };
    if (mark.includes("+")) return { kind: "added", mark, text, oldNumber: null, newNumber: newNumber++, at };
    return { kind: "same", mark, text, oldNumber: oldNumber++, newNumber: newNumber++, at };
  });
}

/** Old beside new; a side is null where it has nothing. */
export type Pair = { left: Line | null; right: Line | null };

/** Removed lines beside the added lines that follow them. */
export function pairsOf(lines: readonly Line[]): Pair[] {
  const pairs: Pair[] = [];
  let removed: Line[] = [];
  let added: Line[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      pairs.push({ left: removed[at] ?? null, right: added[at] ?? null });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "removed") {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === "added") added.push(line);
    else {
      flush();
      pairs.push(line.kind === "note" ? { left: line, right: null } : { left: line, right: line });
    }
  }
  flush();
  return pairs;
}

/** For each changed line the line that it replaces or is replaced by, by place. */
export function partnersOf(lines: readonly Line[]): ReadonlyMap<number, Line> {
  const partners = new Map<number, Line>();
  for (const { left, right } of pairsOf(lines)) {
    if (left?.kind !== "removed" || right?.kind !== "added") continue;
    partners.set(left.at, right);
    partners.set(right.at, left);
  }
  return partners;
}

/** True for a change that moves nothing but blanks. */
export function onlyBlanks(line: Line, partner: Line | undefined): boolean {
  return partner !== undefined && line.text.replaceAll(/\s/g, "") === partner.text.replaceAll(/\s/g, "");
}
