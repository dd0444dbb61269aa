// Which ticket the keys act on, and which ones are picked for a batch.
import { signal } from "@preact/signals";
import { rows } from "./tickets.ts";

/** The id under the cursor. */
export const cursor = signal<string | null>(null);
/** The ids that are picked. */
export const picked = signal<ReadonlySet<string>>(new Set());

/** Move by some rows; returns the id that the cursor is on then. */
export function move(by: 1 | -1): string | null {
  const ids = rows.value.map(({ ticket }) => ticket.id);
  const at = cursor.value === null ? -1 : ids.indexOf(cursor.value);
  const to = at === -1 ? (by === 1 ? 0 : ids.length - 1) : Math.max(0, Math.min(ids.length - 1, at + by));
  cursor.value = ids[to] ?? null;
  return cursor.value;
}

/** The ticket to go on with after one is done: the next below it, else the one above. */
export function neighbour(id: string): string | null {
  const ids = rows.value.map(({ ticket }) => ticket.id);
  const at = ids.indexOf(id);
  return at === -1 ? (ids[0] ?? null) : (ids[at + 1] ?? ids[at - 1] ?? null);
}

/** Pick a ticket, or let it go. */
export function toggle(id: string): void {
  const ids = new Set(picked.value);
  if (!ids.delete(id)) ids.add(id);
  picked.value = ids;
}

export function clearPicked(): void {
  picked.value = new Set();
}
