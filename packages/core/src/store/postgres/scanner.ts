// Reads of the whole log, a page at a time, straight from the database.

import type { List } from "../sqlite/statements.ts";
import { ScannedTicket } from "../sqlite/ticket-row.ts";
import type { AnchorRow, LinkedEvent, RequestRow, StoredContent, StoredTicket } from "../store.ts";

/** Rows of a page. */
const PAGE = 500;
type Query = (sql: string, values: unknown[]) => unknown[][];
type Counts = { tickets: number; contents: number; used_nonces: number; messages: number };

/** Scans one space. */
export class Scanner {
  readonly #query: Query;
  readonly #space: string;

  constructor(query: Query, space: string) {
    this.#query = query;
    this.#space = space;
  }

  #ask(what: string, after: number, digest: string, limit: number): unknown {
    const sql = "SELECT hap.scan($1, $2, $3, $4, $5)";
    return this.#query(sql, [this.#space, what, after, digest, limit])[0]?.[0];
  }

  *#rows(what: string, after: number, next: (last: List) => [number, string]): Iterable<List> {
    for (let from: [number, string] = [after, ""]; ; ) {
      const rows = this.#ask(what, ...from, PAGE) as List[];
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      from = next(last);
    }
  }

  *scanEvents(afterSeq: number): Iterable<LinkedEvent> {
    for (const [seq, payload, prev_hash, hash, ticket_prev] of this.#rows("events", afterSeq, ([last]) => [last as number, ""]))
      yield { seq, payload, prev_hash, hash, ticket_prev } as LinkedEvent;
  }

  *scanTickets(): Iterable<StoredTicket> {
    for (const row of this.#rows("tickets", 0, ([last]) => [last as number, ""])) yield new ScannedTicket(row);
  }

  *scanContents(): Iterable<StoredContent> {
    for (const [ticketSeq, digest, salt, body] of this.#rows("contents", -1, ([seq, last]) => [seq as number, last as string]))
      yield { ticketSeq, digest, salt: String(salt).toUpperCase(), body } as StoredContent;
  }

  listAnchors(): AnchorRow[] {
    return [...this.#rows("anchors", 0, ([last]) => [last as number, ""])].map(
      ([ticketSeq, wall, uptime]) => ({ ticketSeq, wall, uptime }) as AnchorRow,
    );
  }

  listRequests(): RequestRow[] {
    return [...this.#rows("idempotency", -1, (row) => [row[5] as number, `${row[0]}\u0001${row[1]}`])].map(
      ([owner, key, request, ticketId, createdAt, seq, salt]) =>
        ({ owner, key, request, ticketId, createdAt, seq, salt: Buffer.from(String(salt), "hex") }) as unknown as RequestRow,
    );
  }

  #counts(): Counts {
    return this.#ask("counts", 0, "", 0) as Counts;
  }

  countTickets(): number {
    return this.#counts().tickets;
  }

  countContents(): number {
    return this.#counts().contents;
  }

  countNonces(): number {
    return this.#counts().used_nonces;
  }

  countMessages(): number {
    return this.#counts().messages;
  }

  hasActed(handle: string): boolean {
    return this.#ask("has_acted", 0, handle, 0) as boolean;
  }

  /** Every row of a keyed table as it travels, for copies. */
  rowsOf(table: string): Iterable<List> {
    const byText = table === "used_nonces" || table === "messages";
    const first = table === "contents" || table === "idempotency" ? -1 : 0;
    return this.#rows(table, first, (row) => {
      if (byText) return [0, row[0] as string];
      if (table === "contents") return [row[0] as number, row[1] as string];
      return table === "idempotency" ? [row[5] as number, `${row[0]}\u0001${row[1]}`] : [row[0] as number, ""];
    });
  }
}
