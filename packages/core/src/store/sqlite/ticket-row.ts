// A ticket's row: its record as JSON, without the parts that the draft has columns for, and beside it what is searched.
import type { SQLInputValue } from "node:sqlite";
import { HapError, isOpen, nextDeadline, PRIORITIES, shortCode } from "@hap/protocol";
import type { TicketRecord } from "../../tickets/record.ts";
import type { StoredTicket } from "../store.ts";
import type { List, Row } from "./statements.ts";

/** The columns that a record fills, and what it fills them with. */
const columns: readonly [name: string, read: (record: TicketRecord) => SQLInputValue][] = [
  ["id", ({ ticket }) => ticket.id],
  ["code", ({ ticket }) => shortCode(ticket.id)],
  ["from", ({ ticket }) => ticket.from],
  ["rank", ({ ticket }) => PRIORITIES.indexOf(ticket.priority)],
  ["priority", ({ ticket }) => ticket.priority],
  ["risk", ({ ticket }) => ticket.risk],
  ["kind", ({ ticket }) => ticket.intent.kind],
  ["tier", ({ ticket }) => ticket.tier],
  ["project", ({ ticket }) => ticket.project],
  ["session", ({ ticket }) => ticket.session],
  ["created_at", ({ ticket }) => ticket.created_at],
  ["quorum", ({ ticket }) => (ticket.quorum === undefined ? 0 : 1)],
  ["to", ({ to }) => to],
  ["state", ({ state }) => state],
  ["open", ({ state }) => (isOpen(state) ? 1 : 0)],
  ["delivered_at", ({ deliveredAt }) => deliveredAt],
  ["snoozed_until", ({ snoozedUntil }) => snoozedUntil],
  ["next_deadline", ({ state, clock }) => (isOpen(state) ? nextDeadline(clock) : null)],
  ["updated_at", ({ updatedAt }) => updatedAt],
];
/** Those that can change after creation. */
const changing = columns.slice(columns.findIndex(([name]) => name === "to"));

const quoted = (list: typeof columns) => list.map(([name]) => `"${name}"`);
const values = (list: typeof columns, record: TicketRecord) => list.map(([, read]) => read(record));

/** The columns that a record is read from. */
export const RECORD = "record, intent, artifact, lease";
export const INSERT_TICKET = `INSERT INTO tickets (seq, ${RECORD}, ${quoted(columns).join(", ")}) VALUES (?, ?, ?, ?, ?, ${columns.map(() => "?").join(", ")})`;
export const SCAN_TICKETS = `SELECT seq, ${RECORD}, ${quoted(columns).join(", ")} FROM tickets WHERE seq>? ORDER BY seq LIMIT ?`;

export function insertValues(record: TicketRecord): SQLInputValue[] {
  const { intent, artifact, lease } = record.ticket;
  const parts = [JSON.stringify(intent), JSON.stringify(artifact), JSON.stringify(lease)];
  return [record.seq, rest(record), ...parts, ...values(columns, record)];
}

/**
 * The statement that changes a row, and its values. Columns that stay as they were are left out: SQLite rewrites every index that a
 * named column is part of, also when its value is the same.
 */
export function updateTicket(record: TicketRecord, before: TicketRecord | undefined): { sql: string; values: SQLInputValue[] } {
  const values: SQLInputValue[] = [rest(record)];
  let changed = 0;
  for (let at = 0; at < changing.length; at++) {
    const [, read] = changing[at] as (typeof changing)[number];
    const value = read(record);
    if (before !== undefined && value === read(before)) continue;
    changed |= 1 << at;
    values.push(value);
  }
  values.push(record.seq);
  return { sql: updateOf(changed), values };
}

const updates = new Map<number, string>();

/** The statement that changes these columns, one bit each: made once, as the store keeps statements by their text. */
function updateOf(changed: number): string {
  let sql = updates.get(changed);
  if (sql === undefined) {
    const names = quoted(changing.filter((_, at) => (changed & (1 << at)) !== 0));
    sql = `UPDATE tickets SET ${["record", ...names].map((name) => `${name}=?`).join(", ")} WHERE seq=?`;
    updates.set(changed, sql);
  }
  return sql;
}

/** The part of a ticket that never changes and has no column, as JSON. Its object is the same in every later record. */
const fixedParts = new WeakMap<TicketRecord["ticket"], string>();

/** The parts of a record that have no column of their own. */
function rest(record: TicketRecord): string {
  let fixed = fixedParts.get(record.ticket);
  if (fixed === undefined) {
    const { intent, artifact, lease, ...ticket } = record.ticket;
    fixed = JSON.stringify(ticket);
    fixedParts.set(record.ticket, fixed);
  }
  const { state, to, clock, depth, deliveredAt, snoozedUntil, renewedAt, resolution, consumed, heardAt, updatedAt, votes } =
    record;
  // In the order in which `foldCreate` makes them: rows are compared letter for letter.
  const changing = {
    state,
    to,
    clock,
    depth,
    deliveredAt,
    snoozedUntil,
    renewedAt,
    resolution,
    consumed,
    heardAt,
    updatedAt,
    ...(votes === undefined ? {} : { votes }),
  } satisfies Omit<TicketRecord, "seq" | "lastSeq" | "hash" | "ticket">;
  return `{"seq":${record.seq},"lastSeq":${record.lastSeq},"hash":"${record.hash}","ticket":${fixed},${JSON.stringify(changing).slice(1)}`;
}

/** The record that a row holds. */
export function toRecord({ record, intent, artifact, lease }: Row): TicketRecord {
  try {
    return assemble(record as string, intent as string, artifact as string, lease as string);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const problem = "A ticket in the store cannot be read: somebody changed its row, or the file is damaged.";
    throw new HapError(
      "store_corrupt",
      `${problem} Run \`hap verify\`, keep a copy for inquiry, and restore a backup.`,
      {},
      error,
    );
  }
}

function assemble(rest: string, intent: string, artifact: string, lease: string): TicketRecord {
  const record = JSON.parse(rest) as TicketRecord;
  const parts = { intent: JSON.parse(intent), artifact: JSON.parse(artifact), lease: JSON.parse(lease) };
  Object.assign(record.ticket, parts);
  return record;
}

/** How a record's text begins. */
const beginning = /^\{"seq":\d+,"lastSeq":(\d+),/;

/** A row as a scan gives it. It is parsed only when it is not, letter for letter, what a record is stored as. */
export class ScannedTicket implements StoredTicket {
  readonly seq: number;
  readonly #row: List;

  constructor(row: List) {
    this.seq = row[0] as number;
    this.#row = row;
  }

  get lastSeq(): number {
    const found = beginning.exec(this.#row[1] as string);
    return found === null ? this.record().lastSeq : Number(found[1]);
  }

  holds(record: TicketRecord): boolean {
    const [seq, held, intent, artifact, lease] = this.#row;
    const { ticket } = record;
    return (
      seq === record.seq &&
      held === rest(record) &&
      intent === JSON.stringify(ticket.intent) &&
      artifact === JSON.stringify(ticket.artifact) &&
      lease === JSON.stringify(ticket.lease) &&
      this.#differing(record) === null
    );
  }

  record(): TicketRecord {
    return assemble(...(this.#row.slice(1, 5) as [string, string, string, string]));
  }

  wrongColumn(): string | null {
    const record = this.record();
    return this.seq === record.seq ? this.#differing(record) : "seq";
  }

  /** The first column beside the record that says something else than it. */
  #differing(record: TicketRecord): string | null {
    return columns.find(([, read], at) => this.#row[at + 5] !== read(record))?.[0] ?? null;
  }
}
