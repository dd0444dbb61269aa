// The ticket under the cursor beside the list, from a certain width on. It shows and never counts as read: a yes needs the open ticket.
import type { Ticket } from "@hap/protocol";
import { presentationParts } from "../../show/blocks.ts";
import { displayWidth } from "../../terminal/width.ts";
import { listColumns } from "../model/list-layout.ts";
import type { Model } from "../model/model.ts";
import { currentEntry } from "../model/ticket-list.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no columns.
const COLOURS = /\u001b\[[0-9;]*m/g;
/** Rows of a ticket for a width; a long diff is not broken into rows anew at each key. */
const laid = new WeakMap<Ticket, { width: number; rows: readonly string[] }>();

/** The list's rows with the preview beside them, or the list's rows alone where there is no room. */
export function withPreview(model: Model, list: readonly string[]): string[] {
  const width = listColumns(model.columns);
  if (width === model.columns) return [...list];
  const room = model.columns - width - 3;
  const ticket = currentEntry(model.list)?.ticket;
  const shown = ticket === undefined ? [] : previewRows(model, ticket, room);
  const more = shown.length > list.length;
  return list.map((row, at) => {
    const blank = " ".repeat(Math.max(0, width - displayWidth(row.replaceAll(COLOURS, ""))));
    const cut = more && at === list.length - 1;
    const beside = cut ? model.paint.dim(`… ${shown.length - list.length + 1} more rows`) : (shown[at] ?? "");
    return `${row}${blank} ${model.paint.dim("│")} ${beside}`;
  });
}

function previewRows({ paint }: Model, ticket: Ticket, width: number): readonly string[] {
  const known = laid.get(ticket);
  if (known !== undefined && known.width === width) return known.rows;
  const rows = presentationParts(ticket, { paint, width }).act;
  laid.set(ticket, { width, rows });
  return rows;
}
