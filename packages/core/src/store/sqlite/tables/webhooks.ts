// Webhooks and their deliveries, in SQLite.
import type { DeliveryRecord, KeptWebhook, WebhookRecord } from "../../../webhooks/records.ts";
import type { Row } from "../statements.ts";
import { Table } from "./table.ts";

/** Reads of webhooks. */
export class WebhookReads extends Table {
  listWebhooks(): KeptWebhook[] {
    return this.sql.get("SELECT * FROM webhooks WHERE removed=0 ORDER BY seq").all().map(toWebhook);
  }

  webhookById(id: string): KeptWebhook | undefined {
    const row = this.sql.get("SELECT * FROM webhooks WHERE id=?").get(id);
    return row === undefined ? undefined : toWebhook(row);
  }

  countWebhooks(): number {
    return this.sql.get("SELECT count(*) AS count FROM webhooks").get()?.count as number;
  }

  delivery(id: string): DeliveryRecord | undefined {
    const row = this.sql.get("SELECT * FROM deliveries WHERE id=?").get(id);
    return row === undefined ? undefined : toDelivery(row);
  }

  dueDeliveries(webhook: string, now: number, limit: number): DeliveryRecord[] {
    return this.sql
      .get("SELECT * FROM deliveries WHERE webhook=? AND dead=0 AND next_at<=? ORDER BY next_at, id LIMIT ?")
      .all(webhook, now, limit)
      .map(toDelivery);
  }

  deadDeliveries(limit: number): DeliveryRecord[] {
    return this.sql.get("SELECT * FROM deliveries WHERE dead=1 ORDER BY created_at DESC, id LIMIT ?").all(limit).map(toDelivery);
  }

  countDeliveries(): { waiting: number; dead: number } {
    const { total, dead } = this.sql
      .get("SELECT (SELECT count(*) FROM deliveries) AS total, (SELECT count(*) FROM deliveries WHERE dead=1) AS dead")
      .get() as { total: number; dead: number };
    return { waiting: total - dead, dead };
  }
}

/** Writes of webhooks. */
export class WebhookWrites extends Table {
  putWebhook({ secret, ...record }: KeptWebhook): void {
    this.sql
      .get(
        `INSERT INTO webhooks (id, seq, record, removed, secret) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT(id) DO UPDATE SET seq=excluded.seq, record=excluded.record, removed=excluded.removed`,
      )
      .run(record.id, record.seq, JSON.stringify(record), record.removedAt === null ? 0 : 1, secret);
  }

  silenceWebhook(id: string): void {
    this.sql.get("DELETE FROM deliveries WHERE webhook=?").run(id);
    this.sql.get("UPDATE webhooks SET secret='' WHERE id=?").run(id);
  }

  putDelivery(record: DeliveryRecord): void {
    const { id, webhook, type, body, dead, tries, nextAt, createdAt, problem } = record;
    this.sql
      .get(
        `INSERT INTO deliveries (id, webhook, type, body, dead, tries, next_at, created_at, problem) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT(id) DO UPDATE SET dead=excluded.dead, tries=excluded.tries, next_at=excluded.next_at, problem=excluded.problem`,
      )
      .run(id, webhook, type, body, dead ? 1 : 0, tries, nextAt, createdAt, problem);
  }

  dropDelivery(id: string): void {
    this.sql.get("DELETE FROM deliveries WHERE id=?").run(id);
  }

  dropDeadDeliveries(before: number): void {
    this.sql.get("DELETE FROM deliveries WHERE dead=1 AND created_at<?").run(before);
  }
}

/** The columns that rows are found by take the place of the record's own fields, so that verification sees them. */
function toWebhook({ id, seq, ...row }: Row): KeptWebhook {
  const record = JSON.parse(row.record as string) as WebhookRecord;
  return { ...record, id: id as string, seq: seq as number, secret: row.secret as string };
}

function toDelivery(row: Row): DeliveryRecord {
  return {
    id: row.id as string,
    webhook: row.webhook as string,
    type: row.type as string,
    body: row.body as string,
    dead: row.dead === 1,
    tries: row.tries as number,
    nextAt: row.next_at as number,
    createdAt: row.created_at as number,
    problem: row.problem as string | null,
  };
}
