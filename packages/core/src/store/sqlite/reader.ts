// Every read of the SQLite store: prepared once, by index, never the whole table.
import type { SQLInputValue } from "node:sqlite";
import { GENESIS_HASH, isOpen, OPEN_STATES, PRIORITIES, TICKET_STATES } from "@hap/protocol";
import type { TicketRecord } from "../../tickets/record.ts";
import type {
  AnchorRow,
  ContentRow,
  EventRow,
  Head,
  LinkedEvent,
  OpenCount,
  StoredContent,
  StoredTicket,
  StoreReader,
  TicketFilter,
} from "../store.ts";
import { IdentityReader } from "./identity-rows.ts";
import { remembered } from "./mirror.ts";
import { schemaProblem } from "./schema.ts";
import type { Row } from "./statements.ts";
import { RECORD, SCAN_TICKETS, ScannedTicket, toRecord } from "./ticket-row.ts";

const eventColumns = "seq, payload, prev_hash, hash";

export class SqliteReader extends IdentityReader implements StoreReader {
  head(): Head {
    const mirror = this.mirror.fresh();
    if (mirror.head === null) {
      const row = this.sql.get("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1").get();
      mirror.head = row === undefined ? { seq: 0, hash: GENESIS_HASH } : (row as unknown as Head);
    }
    return mirror.head;
  }

  eventAt(seq: number): EventRow | undefined {
    return this.sql.get(`SELECT ${eventColumns} FROM events WHERE seq=?`).get(seq) as EventRow | undefined;
  }

  eventsAfter(seq: number, limit: number): EventRow[] {
    return this.sql
      .get(`SELECT ${eventColumns} FROM events WHERE seq>? ORDER BY seq LIMIT ?`)
      .all(seq, limit) as unknown as EventRow[];
  }

  ticketEvents(lastSeq: number, afterSeq: number): EventRow[] {
    const step = this.sql.get(`SELECT ${eventColumns}, ticket_prev FROM events WHERE seq=?`);
    const found: EventRow[] = [];
    for (let at: number | null = lastSeq; at !== null && at > afterSeq; ) {
      const row = step.get(at) as LinkedEvent | undefined;
      if (row === undefined) break;
      const { ticket_prev, ...event } = row;
      found.push(event);
      // Links lead back; one that somebody bent forward ends the walk.
      at = ticket_prev !== null && ticket_prev < at ? ticket_prev : null;
    }
    return found.reverse();
  }

  *scanEvents(afterSeq: number): Iterable<LinkedEvent> {
    const query = this.sql.fresh(`SELECT ${eventColumns}, ticket_prev FROM events WHERE seq>? ORDER BY seq LIMIT ?`);
    for (const page of query.pages([afterSeq], ([last]) => [last as number]))
      for (const [seq, payload, prev_hash, hash, ticket_prev] of page)
        yield { seq, payload, prev_hash, hash, ticket_prev } as LinkedEvent;
  }

  *scanTickets(): Iterable<StoredTicket> {
    for (const page of this.sql.fresh(SCAN_TICKETS).pages([0], ([last]) => [last as number]))
      for (const row of page) yield new ScannedTicket(row);
  }

  *scanContents(): Iterable<StoredContent> {
    // Spelled by SQLite: a text costs less to hand over than a blob, which is an allocation of its own.
    const query = this.sql.fresh(
      `SELECT ticket_seq, lower(hex(digest)), hex(salt), body FROM contents
       WHERE (ticket_seq, digest)>(?, unhex(?)) ORDER BY ticket_seq, digest LIMIT ?`,
    );
    for (const page of query.pages([-1, ""], ([seq, last]) => [seq as number, last as string]))
      for (const [ticketSeq, digest, salt, body] of page) yield { ticketSeq, digest, salt, body } as StoredContent;
  }

  hashAt(seq: number): string {
    const known = this.mirror.fresh().hashes.get(seq);
    return known ?? (this.sql.get("SELECT hash FROM events WHERE seq=?").get(seq)?.hash as string | undefined) ?? "";
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

  contents(ticketSeq: number): ReadonlyMap<string, ContentRow> {
    const known = this.mirror.fresh().contents(ticketSeq);
    if (known !== undefined) return known;
    const rows = this.sql.get("SELECT lower(hex(digest)) AS digest, salt, body FROM contents WHERE ticket_seq=?").all(ticketSeq);
    const found = rows.map(({ digest, salt, body }): [string, ContentRow] => [
      `sha256:${digest as string}`,
      { salt: salt as Uint8Array, body: body as string },
    ]);
    return this.mirror.keepContents(ticketSeq, found);
  }

  nameOf(handle: string): string | undefined {
    const read = () => this.sql.get("SELECT name FROM directory WHERE handle=?").get(handle)?.name as string | undefined;
    return remembered(this.mirror.fresh().names, handle, read);
  }

  handleOf(name: string): string | undefined {
    const read = () => this.sql.get("SELECT handle FROM directory WHERE name=?").get(name)?.handle as string | undefined;
    return remembered(this.mirror.fresh().handles, name, read);
  }

  nonceTicket(nonce: string): string | undefined {
    return this.sql.get("SELECT ticket_id FROM used_nonces WHERE nonce=?").get(nonce)?.ticket_id as string | undefined;
  }

  notBurned(nonces: ReadonlyMap<string, string>): string[] {
    return this.sql
      .get(
        `SELECT used.key AS nonce FROM json_each(?) AS used LEFT JOIN used_nonces ON nonce=used.key
         WHERE ticket_id IS NOT used.value`,
      )
      .all(JSON.stringify(Object.fromEntries(nonces)))
      .map(({ nonce }) => nonce as string);
  }

  config(key: string): string | undefined {
    const { config } = this.mirror.fresh();
    if (!config.has(key))
      config.set(key, this.sql.get("SELECT value FROM config WHERE key=?").get(key)?.value as string | undefined);
    return config.get(key);
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

  countNonces(): number {
    return (this.sql.get("SELECT count(*) AS n FROM used_nonces").get() as { n: number }).n;
  }

  countContents(): number {
    return (this.sql.get("SELECT count(*) AS n FROM contents").get() as { n: number }).n;
  }

  schemaProblem(): string | null {
    return schemaProblem(this.sql);
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

/** The 32 bytes of `sha256:hex`. */
export function digestBytes(digest: string): Uint8Array {
  return Buffer.from(digest.slice(digest.lastIndexOf(":") + 1), "hex");
}
