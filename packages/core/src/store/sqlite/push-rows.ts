// Browsers to call, in SQLite.
import type { PushRecord } from "../../push/records.ts";
import { CredentialReader } from "./credential-rows.ts";
import type { Row, Statements } from "./statements.ts";

/** The reads; the store's reader stands on them. */
export class PushReader extends CredentialReader {
  pushSubscriptions(person?: string): PushRecord[] {
    const rows =
      person === undefined
        ? this.sql.get("SELECT * FROM push_subscriptions ORDER BY created_at, endpoint").all()
        : this.sql.get("SELECT * FROM push_subscriptions WHERE person=? ORDER BY created_at, endpoint").all(person);
    return rows.map(toRecord);
  }
}

/** Write one, in place of what its address had before. */
export function putPushSubscription(sql: Statements, record: PushRecord): void {
  const { endpoint, person, p256dh, auth, serverKey, createdAt } = record;
  sql
    .get(
      `INSERT INTO push_subscriptions (endpoint, person, p256dh, auth, server_key, created_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT(endpoint) DO UPDATE SET person=excluded.person, p256dh=excluded.p256dh, auth=excluded.auth,
       server_key=excluded.server_key, created_at=excluded.created_at`,
    )
    .run(endpoint, person, p256dh, auth, serverKey, createdAt);
}

/** Forget one address, or all of a person. */
export function dropPushSubscriptions(sql: Statements, which: { endpoint: string } | { person: string }): void {
  if ("endpoint" in which) sql.get("DELETE FROM push_subscriptions WHERE endpoint=?").run(which.endpoint);
  else sql.get("DELETE FROM push_subscriptions WHERE person=?").run(which.person);
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
