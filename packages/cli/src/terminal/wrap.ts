// Breaks long lines for a terminal, so that the mark at the left of an agent's words stands on every row of them:
// a row that the terminal itself breaks would begin without it, and could pass for ours.
import { displayWidth, graphemes, graphemeWidth } from "./width.ts";

const TAB = 8;

/** Rows of at most `width` columns; null leaves lines as they are. Breaks at a space where one is near the end. */
export function wrapLines(text: string, width: number | null): string[] {
  const lines = text.split("\n");
  return width === null ? lines : lines.flatMap((line) => wrapLine(expandTabs(line), Math.max(8, width)));
}

function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const rows: string[] = [];
  let row: string[] = [];
  let used = 0;
  for (const grapheme of graphemes(line)) {
    const columns = graphemeWidth(grapheme);
    if (used + columns > width) {
      const next = splitAtSpace(row);
      rows.push(row.join(""));
      row = next;
      used = displayWidth(row.join(""));
    }
    row.push(grapheme);
    used += columns;
  }
  return [...rows, row.join("")];
}

/** Move the last word, when it is short against the row, to the next row. */
function splitAtSpace(row: string[]): string[] {
  const space = row.lastIndexOf(" ");
  return space > row.length * 0.6 ? row.splice(space + 1) : [];
}

function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  let expanded = "";
  for (const part of line.split(/(\t)/)) {
    expanded += part === "\t" ? " ".repeat(TAB - (displayWidth(expanded) % TAB)) : part;
  }
  return expanded;
}
