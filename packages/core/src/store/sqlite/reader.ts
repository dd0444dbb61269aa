// Every read of the SQLite store: prepared once, by index, never the whole table.
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { GENESIS_HASH, OPEN_STATES, PRIORITIES } from "@hap/protocol";
import type { TicketRecord } from "../../record.ts";
import type { ContentRow, EventRow, Head, StoreReader, TicketFilter } from "../store.ts";
import { toRecord } from "./ticket-row.ts";

const open = `state IN (${OPEN_STATES.map((state) => `'${state}'`).join(", ")})`;
const eventColumns = "seq, id, type, ts, payload, prev_hash, hash";

/** Prepares each statement at its first use and keeps it. */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** A statement of its own, for a scan that is read while others run. */
  fresh(sql: string): StatementSync {
    return this.#database.prepare(sql);
  }
}

export class SqliteReader implements StoreReader {
  protected readonly sql: Statements;

  constructor(sql: Statements) {
    this.sql = sql;
  }

  head(): Head {
    const row = this.sql.get("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1").get();
    return row === undefined ? { seq: 0, hash: GENESIS_HASH } : (row as unknown as Head);
  }

  eventAt(seq: number): EventRow | undefined {
    return this.sql.get(`SELECT ${eventColumns} FROM events WHERE seq=?`).get(seq) as EventRow | undefined;
  }

  eventById(id: string): EventRow | undefined {
    return this.sql.get(`SELECT ${eventColumns} FROM events WHERE id=?`).get(id) as EventRow | undefined;
  }

  eventsAfter(seq: number, limit: number, ticketSeq?: number): EventRow[] {
    const rows =
      ticketSeq === undefined
        ? this.sql.get(`SELECT ${eventColumns} FROM events WHERE seq>? ORDER BY seq LIMIT ?`).all(seq, limit)
        : this.sql
            .get(`SELECT ${eventColumns} FROM events WHERE ticket_seq=? AND seq>? ORDER BY seq LIMIT ?`)
            .all(ticketSeq, seq, limit);
    return rows as unknown as EventRow[];
  }

  scanEvents(afterSeq: number): Iterable<EventRow> {
    return this.sql
      .fresh(`SELECT ${eventColumns} FROM events WHERE seq>? ORDER BY seq`)
      .iterate(afterSeq) as Iterable<unknown> as Iterable<EventRow>;
  }

  ticketById(id: string): TicketRecord | undefined {
    return record(this.sql.get("SELECT * FROM tickets WHERE id=?").get(id));
  }

  ticketBySeq(seq: number): TicketRecord | undefined {
    return record(this.sql.get("SELECT * FROM tickets WHERE seq=?").get(seq));
  }

  listTickets(filter: TicketFilter): TicketRecord[] {
    const where: string[] = [];
    const values: SQLInputValue[] = [];
    const add = (clause: string, value: SQLInputValue | undefined) => {
      if (value === undefined) return;
      where.push(clause);
      values.push(value);
    };
    add('"to"=?', filter.to);
    add('"from"=?', filter.from);
    add("kind=?", filter.kind);
    add("project=?", filter.project);
    add("session=?", filter.session);
    add("tier=?", filter.tier);
    add("created_at>=?", filter.createdAfter);
    add("created_at<=?", filter.createdBefore);
    add("seq<?", filter.beforeSeq);
    if (filter.states !== undefined) {
      const isOpenSet =
        filter.states.length === OPEN_STATES.length && OPEN_STATES.every((state) => filter.states?.includes(state));
      where.push(isOpenSet ? open : `state IN (${filter.states.map(() => "?").join(", ")})`);
      if (!isOpenSet) values.push(...filter.states);
    }
    const clause = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
    return this.sql
      .get(`SELECT * FROM tickets ${clause} ORDER BY seq DESC LIMIT ?`)
      .all(...values, filter.limit)
      .map(toRecord);
  }

  listInbox(to: string, awakeAt: number, after: TicketRecord | undefined, limit: number): TicketRecord[] {
    const rank = after === undefined ? -1 : PRIORITIES.indexOf(after.ticket.priority);
    return this.sql
      .get(
        `SELECT * FROM tickets INDEXED BY idx_tickets_inbox WHERE "to"=? AND ${open} AND (rank, seq) > (?, ?)
         AND (snoozed_until IS NULL OR snoozed_until<=?) ORDER BY rank, seq LIMIT ?`,
      )
      .all(to, rank, after?.seq ?? 0, awakeAt, limit)
      .map(toRecord);
  }

  countTickets(): number {
    return (this.sql.get("SELECT count(*) AS n FROM tickets").get() as { n: number }).n;
  }

  openCount(agent: string): number {
    const row = this.sql.get("SELECT open_tickets AS n FROM quotas WHERE agent=?").get(agent) as { n: number } | undefined;
    return row?.n ?? 0;
  }

  matchIds(part: string, to: string): string[] {
    const bare = part.startsWith("tk_") ? part.slice(3) : part;
    const prefix = this.sql
      .get(`SELECT id FROM tickets WHERE id>=? AND id<? AND "to"=? AND delivered_at IS NOT NULL LIMIT 2`)
      .all(`tk_${bare}`, `tk_${bare}\uffff`, to);
    const coded = bare.length >= 6;
    const suffix = this.sql
      .get(
        `SELECT id FROM tickets WHERE ${coded ? "code=?" : "substr(code, 7-?)=?"} AND "to"=? AND delivered_at IS NOT NULL AND substr(id, -?)=? LIMIT 2`,
      )
      .all(...(coded ? [bare.slice(-6)] : [bare.length, bare]), to, bare.length, bare);
    return [...new Set([...prefix, ...suffix].map((row) => row.id as string))];
  }

  content(ticketSeq: number, digest: string): ContentRow | undefined {
    return this.sql
      .get("SELECT digest, salt, body FROM contents WHERE ticket_seq=? AND digest=?")
      .get(ticketSeq, digestBytes(digest)) as ContentRow | undefined;
  }

  nameOf(handle: string): string | undefined {
    return this.sql.get("SELECT name FROM directory WHERE handle=?").get(handle)?.name as string | undefined;
  }

  handleOf(name: string): string | undefined {
    return this.sql.get("SELECT handle FROM directory WHERE name=?").get(name)?.handle as string | undefined;
  }

  nonceTicket(nonce: string): string | undefined {
    return this.sql.get("SELECT ticket_id FROM used_nonces WHERE nonce=?").get(nonce)?.ticket_id as string | undefined;
  }

  config(key: string): string | undefined {
    return this.sql.get("SELECT value FROM config WHERE key=?").get(key)?.value as string | undefined;
  }

  due(now: number, limit: number): TicketRecord[] {
    return this.sql
      .get("SELECT * FROM tickets WHERE next_deadline<=? ORDER BY next_deadline LIMIT ?")
      .all(now, limit)
      .map(toRecord);
  }

  nextDue(): number | null {
    const row = this.sql.get("SELECT min(next_deadline) AS at FROM tickets WHERE next_deadline IS NOT NULL").get();
    return (row?.at as number | null) ?? null;
  }

  anchor(ticketSeq: number): { wall: number; uptime: number } | undefined {
    return this.sql.get("SELECT wall, uptime FROM anchors WHERE ticket_seq=?").get(ticketSeq) as
      | { wall: number; uptime: number }
      | undefined;
  }
}

function record(row: Record<string, SQLOutputValue> | undefined): TicketRecord | undefined {
  return row === undefined ? undefined : toRecord(row);
}

/** The 32 bytes of `sha256:hex`. */
export function digestBytes(digest: string): Uint8Array {
  return Buffer.from(digest.slice(digest.lastIndexOf(":") + 1), "hex");
}
