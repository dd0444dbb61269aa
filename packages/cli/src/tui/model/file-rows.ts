// Where the files of a diff begin among the rows of an open ticket. Pure.

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out.
const COLOURS = /\u001b\[[0-9;]*m/g;

/** A row without its colours and its gutter. */
const bare = (row: string) => row.replaceAll(COLOURS, "").replace(/^\s*│ ?/, "");

/** The rows that begin a file: git's own line where there is one, else the pair of old and new name. */
export function fileRows(rows: readonly string[]): number[] {
  const found: number[] = [];
  let header = false;
  rows.forEach((row, at) => {
    const text = bare(row);
    if (text.startsWith("diff --git ")) {
      found.push(at);
      header = true;
    } else if (text.startsWith("@@")) header = false;
    else if (text.startsWith("--- ") && bare(rows[at + 1] ?? "").startsWith("+++ ")) {
      if (!header) found.push(at);
      header = false;
    }
  });
  return found;
}

/** The row of the next file after the top, or of the one before it; null if there is none. */
export function fileFrom(rows: readonly string[], top: number, by: 1 | -1): number | null {
  const files = fileRows(rows);
  return (by === 1 ? files.find((at) => at > top) : files.findLast((at) => at < top)) ?? null;
}
