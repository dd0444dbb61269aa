// Events of the log, in SQLite.
import { GENESIS_HASH } from "@hap/protocol";
import type { EventRow, Head, LinkedEvent } from "../../store.ts";
import { Table } from "./table.ts";

const eventColumns = "seq, payload, prev_hash, hash";

/** Reads of the log. */
export class EventReads extends Table {
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

  hashAt(seq: number): string {
    const known = this.mirror.fresh().hashes.get(seq);
    return known ?? (this.sql.get("SELECT hash FROM events WHERE seq=?").get(seq)?.hash as string | undefined) ?? "";
  }

  /** Escalations name who had a ticket, and refusals who was said to try: neither is an act of theirs. */
  hasActed(handle: string): boolean {
    const query = `SELECT 1 FROM events WHERE (instr(payload, '"from":"' || ?1 || '"')>0
        AND json_extract(payload, '$.type') NOT IN ('ticket.escalate', 'intent.invalid'))
      OR (instr(payload, '"person":"' || ?1 || '"')>0 AND json_extract(payload, '$.type')='session.begin') LIMIT 1`;
    return this.sql.get(query).get(handle) !== undefined;
  }
}

/** Writes of the log. */
export class EventWrites extends Table {
  appendEvent(row: EventRow, ticketPrev: number | null): void {
    this.sql
      .get("INSERT INTO events (seq, payload, prev_hash, hash, ticket_prev) VALUES (?, ?, ?, ?, ?)")
      .run(row.seq, row.payload, row.prev_hash, row.hash, ticketPrev);
    this.mirror.head = { seq: row.seq, hash: row.hash };
    this.mirror.hashes.set(row.seq, row.hash);
  }
}
