// Which rows a list has and which of them are in view. Pure.
import { PRIORITIES, type Priority } from "@hap/protocol";
import { type Entry, matching, type TicketList } from "./ticket-list.ts";

/** A heading of a group, or a ticket. */
export type Item = { type: "group"; priority: Priority; count: number } | { type: "ticket"; entry: Entry };

/** From this width on, a ticket takes one row instead of two. */
const WIDE = 110;

/** From this width on, the ticket under the cursor is shown beside the list. */
const PREVIEW_FROM = 110;

/** Columns of the list: all of them, or less where the preview is beside it. */
export function listColumns(columns: number): number {
  return columns < PREVIEW_FROM ? columns : Math.max(54, Math.floor(columns * 0.42));
}

/** Rows that a ticket takes. */
export function cardHeight(columns: number): number {
  return columns >= WIDE ? 1 : 2;
}

/** Tickets that fit into so many rows: the size of a page. */
export function pageSize(rows: number, columns: number): number {
  return Math.max(3, Math.floor(rows / cardHeight(columns)));
}

/** Everything that was read, an inbox under the headings of its priorities. */
export function itemsOf(list: TicketList): Item[] {
  const tickets = matching(list).map((entry): Item & { type: "ticket" } => ({ type: "ticket", entry }));
  if (list.tab !== "mine") return tickets;
  return PRIORITIES.flatMap((priority): Item[] => {
    const group = tickets.filter(({ entry }) => entry.ticket.priority === priority);
    return group.length === 0 ? [] : [{ type: "group", priority, count: group.length }, ...group];
  });
}

/** The items from `top` on that fit into `rows`, the last one perhaps in part. */
export function inView(items: readonly Item[], top: number, rows: number, columns: number): Item[] {
  const view: Item[] = [];
  let used = 0;
  for (const item of items.slice(top)) {
    if (used >= rows) break;
    view.push(item);
    used += heightOf(item, columns);
  }
  return view;
}

/** Scroll as little as needed to have the ticket under the cursor in view, whole. */
export function scrollToCurrent(list: TicketList, rows: number, columns: number): TicketList {
  const items = itemsOf(list);
  const at = items.findIndex((item) => item.type === "ticket" && item.entry.ticket.id === list.current);
  let top = Math.min(list.top, Math.max(0, items.length - 1));
  if (at === -1) return top === list.top ? list : { ...list, top };
  const first = items[at - 1]?.type === "group" ? at - 1 : at;
  if (first < top) top = first;
  // The rows up to and with the cursor must fit: as far up from it as they do.
  let used = 0;
  let least = at;
  while (least >= 0 && used + heightOf(items[least] as Item, columns) <= rows) used += heightOf(items[least--] as Item, columns);
  top = Math.max(top, Math.min(at, least + 1));
  // No empty rows at the end while something is above.
  let below = 0;
  let lowest = items.length;
  while (lowest > 0 && below + heightOf(items[lowest - 1] as Item, columns) <= rows)
    below += heightOf(items[--lowest] as Item, columns);
  top = Math.min(top, lowest);
  return top === list.top ? list : { ...list, top };
}

function heightOf(item: Item, columns: number): number {
  return item.type === "group" ? 1 : cardHeight(columns);
}
