// Rows made of parts that are fitted first and painted then: colours take no columns.
import { displayWidth, pad, truncate } from "../../terminal/width.ts";

/** A part of a row: plain text, and how it is painted. */
export type Part = { text: string; paint?: (text: string) => string };

/** Parts from the left, cut at the right edge. */
export function line(parts: readonly Part[], width: number): string {
  let left = width;
  return parts
    .map(({ text, paint = String }) => {
      const fitted = truncate(text, left);
      left -= displayWidth(fitted);
      return fitted === "" ? "" : paint(fitted);
    })
    .join("");
}

/** Some parts at the left and some at the right edge. The right ones are kept; the left ones give way. */
export function spread(left: readonly Part[], right: readonly Part[], width: number): string {
  const taken = right.reduce((sum, { text }) => sum + displayWidth(text), 0);
  const room = Math.max(0, width - taken);
  const used = Math.min(
    room,
    left.reduce((sum, { text }) => sum + displayWidth(text), 0),
  );
  return line(left, room) + " ".repeat(room - used) + line(right, width);
}

/** Exactly `height` rows. */
export function fill(rows: readonly string[], height: number): string[] {
  return Array.from({ length: height }, (_, at) => rows[at] ?? "");
}

/** Fitted and filled to a column. */
export function column(text: string, width: number): string {
  return pad(truncate(text, width), width);
}
