// One-time codes, credentials and what was given out to be signed, in SQLite.
import type { CredentialRecord, UsedCredential } from "../../credentials/record.ts";
import type { CodeRow, PhraseRow } from "../store.ts";
import { ConversationReader } from "./conversation-rows.ts";
import type { Row, Statements } from "./statements.ts";

/** The reads; the store's reader stands on them. */
export class CredentialReader extends ConversationReader {
  codes(purpose: string): CodeRow[] {
    return this.sql.get("SELECT * FROM one_time_codes WHERE purpose=?").all(purpose).map(toCode);
  }

  phrase(ticketId: string, person: string): PhraseRow | undefined {
    const row = this.sql.get("SELECT * FROM phrases WHERE ticket_id=? AND person=?").get(ticketId, person);
    return row === undefined ? undefined : toPhrase(row);
  }

  credentialById(id: string): UsedCredential | undefined {
    const row = this.sql.get("SELECT * FROM credentials WHERE id=?").get(id);
    return row === undefined ? undefined : toCredential(row);
  }

  credentialsOf(person?: string): UsedCredential[] {
    const rows =
      person === undefined
        ? this.sql.get("SELECT * FROM credentials ORDER BY seq").all()
        : this.sql.get("SELECT * FROM credentials WHERE person=? ORDER BY seq").all(person);
    return rows.map(toCredential);
  }

  statement(nonce: string): string | undefined {
    return this.sql.get("SELECT statement FROM statements WHERE nonce=?").get(nonce)?.statement as string | undefined;
  }
}

/** Write a code in place of the last one of that purpose and person. */
export function putCode(sql: Statements, { purpose, person, salt, hash, expires, wrong }: CodeRow): void {
  sql
    .get("INSERT OR REPLACE INTO one_time_codes (purpose, person, salt, hash, expires, wrong) VALUES (?, ?, ?, ?, ?, ?)")
    .run(purpose, person, salt, hash, expires, wrong);
}

/** Write a phrase in place of the last one of that ticket and person; expired ones go. */
export function putPhrase(sql: Statements, { ticketId, person, salt, hash, expires, wrong }: PhraseRow, now: number): void {
  sql.get("DELETE FROM phrases WHERE expires<=?").run(now);
  sql
    .get("INSERT OR REPLACE INTO phrases (ticket_id, person, salt, hash, expires, wrong) VALUES (?, ?, ?, ?, ?, ?)")
    .run(ticketId, person, salt, hash, expires, wrong);
}

/** Count a wrong guess against every open code of a purpose and burn those that had too many; returns the tries left. */
export function countWrongCode(sql: Statements, purpose: string, now: number, tries: number): number {
  sql.get("UPDATE one_time_codes SET wrong=wrong+1 WHERE purpose=? AND expires>?").run(purpose, now);
  sql.get("DELETE FROM one_time_codes WHERE purpose=? AND wrong>=?").run(purpose, tries);
  const most = sql.get("SELECT min(wrong) AS wrong FROM one_time_codes WHERE purpose=? AND expires>?").get(purpose, now)?.wrong;
  return typeof most === "number" ? tries - most : 0;
}

/** Write what the log makes of a credential; how often it was used is not the log's to say. */
export function putCredential(sql: Statements, { signCount, ...record }: CredentialRecord & { signCount: number }): void {
  const { lastUsedAt: _, ...folded } = record as UsedCredential;
  sql
    .get(
      `INSERT INTO credentials (id, seq, person, record, sign_count) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT(id) DO UPDATE SET seq=excluded.seq, person=excluded.person, record=excluded.record`,
    )
    .run(record.id, record.seq, record.person, JSON.stringify(folded), signCount);
}

function toCredential(row: Row): UsedCredential {
  const record = JSON.parse(row.record as string) as CredentialRecord;
  return { ...record, signCount: row.sign_count as number, lastUsedAt: row.last_used_at as string | null };
}

function toCode(row: Row): CodeRow {
  return {
    purpose: row.purpose as CodeRow["purpose"],
    person: row.person as string,
    salt: row.salt as Uint8Array,
    hash: row.hash as Uint8Array,
    expires: row.expires as number,
    wrong: row.wrong as number,
  };
}

function toPhrase(row: Row): PhraseRow {
  return {
    ticketId: row.ticket_id as string,
    person: row.person as string,
    salt: row.salt as Uint8Array,
    hash: row.hash as Uint8Array,
    expires: row.expires as number,
    wrong: row.wrong as number,
  };
}
