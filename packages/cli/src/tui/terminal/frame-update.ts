// What to send so that a terminal shows the next frame: only the rows that changed, in one synchronised update.

/** A whole screen: one string a row, and where the cursor is, or null while it is hidden. */
export type Frame = { rows: readonly string[]; cursor: { row: number; column: number } | null };

const CSI = "\u001b[";

/** The bytes from `shown` to `next`. Without `shown` every row is drawn. */
export function frameUpdate(shown: Frame | null, next: Frame): string {
  const changed = next.rows
    .map((row, at) => (shown?.rows[at] === row ? "" : `${CSI}${at + 1};1H${CSI}0m${row}${CSI}0m${CSI}K`))
    .join("");
  const { cursor } = next;
  const place = cursor === null ? `${CSI}?25l` : `${CSI}${cursor.row + 1};${cursor.column + 1}H${CSI}?25h`;
  const moved = JSON.stringify(shown?.cursor ?? null) !== JSON.stringify(cursor);
  if (changed === "" && !moved && shown !== null) return "";
  return `${CSI}?2026h${CSI}?25l${changed}${place}${CSI}?2026l`;
}
