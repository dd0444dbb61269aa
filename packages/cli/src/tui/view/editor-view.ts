// A text that is being typed, in rows of a width, and where its cursor is. Hidden characters are shown.
import { showInvisible } from "@hap/protocol";
import { displayWidth } from "../../terminal/width.ts";
import type { Editor } from "../model/editor.ts";

export type Typing = { rows: string[]; cursor: { row: number; column: number } };

export function editorView({ chars, at }: Editor, width: number): Typing {
  const rows = [""];
  let cursor = { row: 0, column: 0 };
  const room = Math.max(4, width - 1);
  for (const [place, char] of [...chars, ""].entries()) {
    const shown = char === "\n" ? "" : char === "\t" ? "  " : showInvisible(char);
    const last = rows.at(-1) ?? "";
    if (displayWidth(last) + displayWidth(shown) > room) rows.push("");
    if (place === at) cursor = { row: rows.length - 1, column: displayWidth(rows.at(-1) ?? "") };
    rows[rows.length - 1] += shown;
    if (char === "\n") rows.push("");
  }
  return { rows, cursor };
}
