// Browsers subscribed to push messages, in SQLite.
import type { PushRecord } from "../../../push/records.ts";
import type { Row } from "../statements.ts";
import { Table } from "./table.ts";

/** Reads of push subscriptions. */
export class PushReads extends Table {
  pushSubscriptions(person?: string): PushRecord[] {
    const rows =
      person === undefined
        ? this.sql.get("SELECT * FROM push_subscriptions ORDER BY created_at, endpoint").all()
        : this.sql.get("SELECT * FROM push_subscriptions WHERE person=? ORDER BY created_at, endpoint").all(person);
    return rows.map(toRecord);
  }

  hasReminder(ticketId: string, deadline: number): boolean {
    const query = "SELECT 1 FROM push_reminders WHERE ticket_id=? AND deadline=?";
    return this.sql.get(query).get(ticketId, deadline) !== undefined;
  }
}

/** Writes of push subscriptions. */
export class PushWrites extends Table {
  putPushSubscription(record: PushRecord): void {
    const { endpoint, person, p256dh, auth, serverKey, createdAt } = record;
    this.sql
      .get(
        `INSERT INTO push_subscriptions (endpoint, person, p256dh, auth, server_key, created_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT(endpoint) DO UPDATE SET person=excluded.person, p256dh=excluded.p256dh, auth=excluded.auth,
         server_key=excluded.server_key, created_at=excluded.created_at`,
      )
      .run(endpoint, person, p256dh, auth, serverKey, createdAt);
  }

  putReminder(ticketId: string, deadline: number, now: number): boolean {
    this.sql.get("DELETE FROM push_reminders WHERE deadline<?").run(now);
    const insert = "INSERT INTO push_reminders (ticket_id, deadline) VALUES (?, ?) ON CONFLICT DO NOTHING";
    return this.sql.get(insert).run(ticketId, deadline) > 0;
  }

  dropPushSubscriptions(which: { endpoint: string } | { person: string }): void {
    if ("endpoint" in which) this.sql.get("DELETE FROM push_subscriptions WHERE endpoint=?").run(which.endpoint);
    else this.sql.get("DELETE FROM push_subscriptions WHERE person=?").run(which.person);
  }
}

function toRecord(row: Row): PushRecord {
  return {
    endpoint: row.endpoint as string,
    person: row.person as string,
    p256dh: row.p256dh as string,
    auth: row.auth as string,
    serverKey: row.server_key as string,
    createdAt: row.created_at as number,
  };
}
