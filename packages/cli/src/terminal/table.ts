// Tables with the borders of the draft's 8.1, fitted to a width by cutting the one column that may be cut.
import { displayWidth, pad, truncate } from "./width.ts";

/** A column: its heading, and how its cells are coloured once they have been fitted. */
export type Column = { heading: string; paint?: ((cell: string, row: number) => string) | undefined };

/** Rows of cells under their headings. `flexible` is the column that gives way when `width` is too small. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly string[][],
  width: number | null,
  flexible: number,
): string {
  const widths = columns.map(({ heading }, at) =>
    Math.max(displayWidth(heading), ...rows.map((row) => displayWidth(row[at] as string))),
  );
  const over = tableWidth(widths) - (width ?? Number.POSITIVE_INFINITY);
  if (over > 0) widths[flexible] = Math.max(1, (widths[flexible] as number) - over);
  const border = `+${widths.map((columnWidth) => "-".repeat(columnWidth + 2)).join("+")}+`;
  const line = (cells: readonly string[], paintRow: number | null) =>
    `|${cells
      .map((cell, at) => {
        const fitted = pad(truncate(cell, widths[at] as number), widths[at] as number);
        const paint = paintRow === null ? undefined : columns[at]?.paint;
        return ` ${paint === undefined ? fitted : paint(fitted, paintRow as number)} `;
      })
      .join("|")}|`;
  const headings = columns.map(({ heading }) => heading);
  return [border, line(headings, null), border, ...rows.map((row, at) => line(row, at)), border].join("\n");
}

/** Columns that a table with cells of these widths takes. */
export function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, columnWidth) => sum + columnWidth + 3, 1);
}
