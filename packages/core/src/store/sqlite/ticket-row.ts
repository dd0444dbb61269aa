// A ticket's row: its record as JSON, and beside it the columns that are searched. Reading takes the record alone.
import type { SQLInputValue } from "node:sqlite";
import { isOpen, nextDeadline, PRIORITIES, shortCode } from "@hap/protocol";
import type { TicketRecord } from "../../record.ts";
import type { List, Row } from "./statements.ts";

/** The columns that a record fills, and what it fills them with. */
const columns: readonly [name: string, read: (record: TicketRecord) => SQLInputValue][] = [
  ["id", ({ ticket }) => ticket.id],
  ["code", ({ ticket }) => shortCode(ticket.id)],
  ["from", ({ ticket }) => ticket.from],
  ["rank", ({ ticket }) => PRIORITIES.indexOf(ticket.priority)],
  ["kind", ({ ticket }) => ticket.intent.kind],
  ["tier", ({ ticket }) => ticket.tier],
  ["project", ({ ticket }) => ticket.project],
  ["session", ({ ticket }) => ticket.session],
  ["created_at", ({ ticket }) => ticket.created_at],
  ["to", ({ to }) => to],
  ["state", ({ state }) => state],
  ["delivered_at", ({ deliveredAt }) => deliveredAt],
  ["snoozed_until", ({ snoozedUntil }) => snoozedUntil],
  ["next_deadline", ({ state, clock }) => (isOpen(state) ? nextDeadline(clock) : null)],
];
/** Those that can change after creation. */
const changing = columns.slice(columns.findIndex(([name]) => name === "to"));

const quoted = (list: typeof columns) => list.map(([name]) => `"${name}"`);
const values = (list: typeof columns, record: TicketRecord) => list.map(([, read]) => read(record));

export const INSERT_TICKET = `INSERT INTO tickets (seq, record, ${quoted(columns).join(", ")}) VALUES (?, ?, ${columns.map(() => "?").join(", ")})`;
export const UPDATE_TICKET = `UPDATE tickets SET record=?, ${quoted(changing)
  .map((name) => `${name}=?`)
  .join(", ")} WHERE seq=?`;
export const SCAN_TICKETS = `SELECT seq, record, ${quoted(columns).join(", ")} FROM tickets WHERE seq>? ORDER BY seq LIMIT ?`;

export function insertValues(record: TicketRecord): SQLInputValue[] {
  return [record.seq, JSON.stringify(record), ...values(columns, record)];
}

export function updateValues(record: TicketRecord): SQLInputValue[] {
  return [JSON.stringify(record), ...values(changing, record), record.seq];
}

/** The record that a row holds. */
export function toRecord(row: Row): TicketRecord {
  return JSON.parse(row.record as string);
}

/** The name of a column of a scanned row that says something else than the record beside it, or null. */
export function differingColumn([seq, , ...searched]: List, record: TicketRecord): string | null {
  return columns.find(([, read], at) => searched[at] !== read(record))?.[0] ?? (seq === record.seq ? null : "seq");
}
