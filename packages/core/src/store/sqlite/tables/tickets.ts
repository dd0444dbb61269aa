// Tickets and their quotas, in SQLite.
import type { SQLInputValue } from "node:sqlite";
import { CONVERSATION_KINDS, isOpen, OPEN_STATES, PRIORITIES, TICKET_STATES } from "@hap/protocol";
import type { TicketRecord } from "../../../tickets/record.ts";
import type { AnchorRow, CountField, OpenCount, StoredTicket, TicketCount, TicketFilter } from "../../store.ts";
import { type Mirror, remembered } from "../mirror.ts";
import type { Row, Statements } from "../statements.ts";
import { INSERT_TICKET, insertValues, RECORD, SCAN_TICKETS, ScannedTicket, toRecord, updateTicket } from "../ticket-row.ts";
import { Table } from "./table.ts";

const conversational = `kind IN (${CONVERSATION_KINDS.map((kind) => `'${kind}'`).join(", ")})`;

/** Reads of tickets. */
export class TicketReads extends Table {
  *scanTickets(): Iterable<StoredTicket> {
    for (const page of this.sql.fresh(SCAN_TICKETS).pages([0], ([last]) => [last as number]))
      for (const row of page) yield new ScannedTicket(row);
  }

  ticketById(id: string): TicketRecord | undefined {
    // Callers in plain JavaScript may hand over anything; only a text can be an id.
    if (typeof id !== "string") return undefined;
    return remembered(this.mirror.fresh().tickets, id, () =>
      record(this.sql.get(`SELECT ${RECORD} FROM tickets WHERE id=?`).get(id)),
    );
  }

  ticketBySeq(seq: number): TicketRecord | undefined {
    return record(this.sql.get(`SELECT ${RECORD} FROM tickets WHERE seq=?`).get(seq));
  }

  listTickets(filter: TicketFilter): TicketRecord[] {
    const { where, values } = conditions(filter);
    const wanted = filter.states ?? TICKET_STATES;
    const parts = [
      { side: "open=1", states: wanted.filter((state) => isOpen(state)), all: OPEN_STATES.length },
      { side: "open=0", states: wanted.filter((state) => !isOpen(state)), all: TICKET_STATES.length - OPEN_STATES.length },
    ];
    const found = parts.flatMap(({ side, states, all }) => {
      if (states.length === 0) return [];
      const named = states.length === all ? [] : [`state IN (${states.map(() => "?").join(", ")})`];
      const clause = [side, ...named, ...where].join(" AND ");
      return this.sql
        .get(`SELECT seq, ${RECORD} FROM tickets WHERE ${clause} ORDER BY seq DESC LIMIT ?`)
        .all(...(named.length === 0 ? [] : states), ...values, filter.limit);
    });
    const newest = found.sort((a, b) => (b.seq as number) - (a.seq as number)).slice(0, filter.limit);
    return newest.map(toRecord);
  }

  listInbox(to: string, awakeAt: number, after: TicketRecord | undefined, limit: number): TicketRecord[] {
    const rank = after === undefined ? -1 : PRIORITIES.indexOf(after.ticket.priority);
    return this.sql
      .get(
        `SELECT ${RECORD} FROM tickets INDEXED BY idx_tickets_inbox WHERE "to"=? AND open=1 AND (rank, seq) > (?, ?)
         AND (snoozed_until IS NULL OR snoozed_until<=?) ORDER BY rank, seq LIMIT ?`,
      )
      .all(to, rank, after?.seq ?? 0, awakeAt, limit)
      .map(toRecord);
  }

  listQuorums(after: TicketRecord | undefined, limit: number): TicketRecord[] {
    const rank = after === undefined ? -1 : PRIORITIES.indexOf(after.ticket.priority);
    return this.sql
      .get(
        `SELECT ${RECORD} FROM tickets INDEXED BY idx_tickets_quorum WHERE open=1 AND quorum=1 AND (rank, seq) > (?, ?)
         ORDER BY rank, seq LIMIT ?`,
      )
      .all(rank, after?.seq ?? 0, limit)
      .map(toRecord);
  }

  openByPriority(): OpenCount[] {
    return this.sql
      .get("SELECT state, rank, count(*) AS count, min(next_deadline) AS deadline FROM tickets WHERE open=1 GROUP BY state, rank")
      .all()
      .map((row) => ({
        state: row.state as OpenCount["state"],
        priority: PRIORITIES[row.rank as number] as OpenCount["priority"],
        count: row.count as number,
        nextDeadline: row.deadline as number | null,
      }));
  }

  openByPerson(): { person: string; count: number }[] {
    return this.sql.get('SELECT "to" AS person, count(*) AS count FROM tickets WHERE open=1 GROUP BY "to"').all() as {
      person: string;
      count: number;
    }[];
  }

  countBy(filter: Omit<TicketFilter, "limit">, field: CountField, awakeAt?: number): TicketCount[] {
    const { where, values } = conditions({ ...filter, limit: 0 });
    const { states } = filter;
    const column = field === "priority" ? "rank" : `"${field}"`;
    const clauses = [
      ...(states === undefined ? [] : [`state IN (${states.map(() => "?").join(", ")})`]),
      ...(states?.every((state) => isOpen(state)) ? ["open=1"] : []),
      ...where,
      ...(awakeAt === undefined ? [] : ["(snoozed_until IS NULL OR snoozed_until<=?)"]),
    ];
    const clause = clauses.length === 0 ? "" : `WHERE ${clauses.join(" AND ")}`;
    return this.sql
      .get(`SELECT ${column} AS key, count(*) AS count FROM tickets ${clause} GROUP BY ${column}`)
      .all(...(states ?? []), ...values, ...(awakeAt === undefined ? [] : [awakeAt]))
      .map(({ key, count }) => ({
        key: field === "priority" ? (PRIORITIES[key as number] as string) : (key as string | null),
        count: count as number,
      }));
  }

  countTickets(): number {
    return (this.sql.get("SELECT count(*) AS n FROM tickets").get() as { n: number }).n;
  }

  matchIds(part: string, to: string): string[] {
    const bare = part.startsWith("tk_") ? part.slice(3) : part;
    const prefix = this.sql
      .get(`SELECT id FROM tickets WHERE id>=? AND id<? AND "to"=? AND delivered_at IS NOT NULL LIMIT 2`)
      .all(`tk_${bare}`, `tk_${bare}\uffff`, to);
    const coded = bare.length >= 6;
    // A whole short code names a ticket before it was shown: whoever waits tells it to the person (D12).
    const shown = coded ? "" : "AND delivered_at IS NOT NULL";
    const suffix = this.sql
      .get(
        `SELECT id FROM tickets WHERE ${coded ? "code=?" : "substr(code, 7-?)=?"} AND "to"=? ${shown} AND substr(id, -?)=? LIMIT 2`,
      )
      .all(...(coded ? [bare.slice(-6)] : [bare.length, bare]), to, bare.length, bare);
    return [...new Set([...prefix, ...suffix].map((row) => row.id as string))];
  }

  anyDue(now: number): boolean {
    return this.sql.get("SELECT 1 FROM tickets INDEXED BY idx_tickets_due WHERE next_deadline<=? LIMIT 1").get(now) !== undefined;
  }

  due(now: number, limit: number): TicketRecord[] {
    return this.sql
      .get(`SELECT ${RECORD} FROM tickets INDEXED BY idx_tickets_due WHERE next_deadline<=? ORDER BY next_deadline LIMIT ?`)
      .all(now, limit)
      .map(toRecord);
  }

  nextDue(): number | null {
    const row = this.sql
      .get("SELECT min(next_deadline) AS at FROM tickets INDEXED BY idx_tickets_due WHERE next_deadline IS NOT NULL")
      .get();
    return (row?.at as number | null) ?? null;
  }

  anchor(ticketSeq: number): { wall: number; uptime: number } | undefined {
    return this.sql.get("SELECT wall, uptime FROM anchors WHERE ticket_seq=?").get(ticketSeq) as
      | { wall: number; uptime: number }
      | undefined;
  }

  listAnchors(): AnchorRow[] {
    return this.sql
      .get("SELECT ticket_seq AS ticketSeq, wall, uptime FROM anchors ORDER BY ticket_seq")
      .all() as unknown as AnchorRow[];
  }

  listQuotas(): { agent: string; open: number }[] {
    return this.sql.get("SELECT agent, open_tickets AS open FROM quotas ORDER BY agent").all() as unknown as {
      agent: string;
      open: number;
    }[];
  }

  allOpenTickets(): number {
    return this.sql.get("SELECT count(*) AS n FROM tickets WHERE open=1").get()?.n as number;
  }

  openTickets(agent: string): number {
    return countOpenTickets(this.sql, this.mirror, agent);
  }

  conversationTickets(agent: string, beforeSeq: number, limit: number): TicketRecord[] {
    return this.sql
      .get(
        `SELECT ${RECORD} FROM tickets INDEXED BY idx_conversations WHERE "from"=? AND ${conversational} AND seq<? ORDER BY seq DESC LIMIT ?`,
      )
      .all(agent, beforeSeq, limit)
      .map(toRecord);
  }
}

/** Writes of tickets. */
export class TicketWrites extends Table {
  insertTicketRow(record: TicketRecord): void {
    this.sql.get(INSERT_TICKET).run(...insertValues(record));
    this.mirror.tickets.set(record.ticket.id, record);
  }

  updateTicket(record: TicketRecord): void {
    const { sql, values } = updateTicket(record, this.mirror.tickets.get(record.ticket.id));
    this.sql.get(sql).run(...values);
    this.mirror.tickets.set(record.ticket.id, record);
  }

  countOpen(agent: string, change: 1 | -1): number {
    const open = Math.max(0, countOpenTickets(this.sql, this.mirror, agent) + change);
    this.mirror.countOpen(agent, open);
    // Written with the commit; until then it counts as a write that must be undone with its command.
    this.sql.writes++;
    return open;
  }

  /** Write what `countOpen` counted: once a transaction and agent, however many tickets it opened and ended. */
  saveCounts(): void {
    const upsert =
      "INSERT INTO quotas (agent, open_tickets) VALUES (?, ?) ON CONFLICT(agent) DO UPDATE SET open_tickets=excluded.open_tickets";
    for (const [agent, open] of this.mirror.unsaved) this.sql.get(upsert).run(agent, open);
    this.mirror.resumeCounts();
  }

  clearTickets(): void {
    this.sql.get("DELETE FROM tickets").run();
    this.mirror.clear();
  }

  recountOpen(): void {
    this.mirror.resumeCounts();
    this.sql.get("DELETE FROM quotas").run();
    this.sql
      .get(`INSERT INTO quotas (agent, open_tickets) SELECT "from", count(*) FROM tickets WHERE open=1 GROUP BY "from"`)
      .run();
  }

  putAnchor(ticketSeq: number, wall: number, uptime: number): void {
    this.sql
      .get(
        "INSERT INTO anchors (ticket_seq, wall, uptime) VALUES (?, ?, ?) ON CONFLICT(ticket_seq) DO UPDATE SET wall=excluded.wall, uptime=excluded.uptime",
      )
      .run(ticketSeq, wall, uptime);
  }
}

/** The SQL of everything but the states. */
function conditions(filter: TicketFilter): { where: string[]; values: SQLInputValue[] } {
  const named: [string, SQLInputValue | undefined][] = [
    ['"to"=?', filter.to],
    ['"from"=?', filter.from],
    ["kind=?", filter.kind],
    ["project=?", filter.project],
    ["session=?", filter.session],
    ["tier=?", filter.tier],
    ["created_at>=?", filter.createdAfter],
    ["created_at<=?", filter.createdBefore],
    ["seq<?", filter.beforeSeq],
  ];
  const given = named.filter((entry): entry is [string, SQLInputValue] => entry[1] !== undefined);
  return { where: given.map(([clause]) => clause), values: given.map(([, value]) => value) };
}

function record(row: Row | undefined): TicketRecord | undefined {
  return row === undefined ? undefined : toRecord(row);
}

/** Open tickets of an agent, as the running transaction has counted them. */
function countOpenTickets(sql: Statements, mirror: Mirror, agent: string): number {
  const counted = mirror.unsaved.get(agent);
  if (counted !== undefined) return counted;
  return (sql.get("SELECT open_tickets AS n FROM quotas WHERE agent=?").get(agent)?.n as number | undefined) ?? 0;
}
