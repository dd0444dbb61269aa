// People's keys, one-time codes and statements to be signed, in SQLite.
import type { CodePurpose } from "@hap/protocol";
import type { CredentialRecord, UsedCredential } from "../../../credentials/record.ts";
import type { CodeRow } from "../../store.ts";
import { remembered } from "../mirror.ts";
import type { Row } from "../statements.ts";
import { Table } from "./table.ts";

/** Reads of credentials. */
export class CredentialReads extends Table {
  codes(purpose: string): CodeRow[] {
    return this.sql.get("SELECT * FROM one_time_codes WHERE purpose=?").all(purpose).map(toCode);
  }

  credentialById(id: string): UsedCredential | undefined {
    const row = this.sql.get("SELECT * FROM credentials WHERE id=?").get(id);
    return row === undefined ? undefined : toCredential(row);
  }

  credentialsOf(person?: string): readonly UsedCredential[] {
    if (person === undefined) return this.sql.get("SELECT * FROM credentials ORDER BY seq").all().map(toCredential);
    const read = () => this.sql.get("SELECT * FROM credentials WHERE person=? ORDER BY seq").all(person).map(toCredential);
    return remembered(this.mirror.fresh().credentials, person, read) as readonly UsedCredential[];
  }

  statement(nonce: string): string | undefined {
    return this.sql.get("SELECT statement FROM statements WHERE nonce=?").get(nonce)?.statement as string | undefined;
  }
}

/** Writes of credentials. */
export class CredentialWrites extends Table {
  putCode({ purpose, person, salt, hash, expires, wrong }: CodeRow): void {
    this.sql
      .get("INSERT OR REPLACE INTO one_time_codes (purpose, person, salt, hash, expires, wrong) VALUES (?, ?, ?, ?, ?, ?)")
      .run(purpose, person, salt, hash, expires, wrong);
  }

  dropCode(purpose: CodePurpose, person: string): void {
    this.sql.get("DELETE FROM one_time_codes WHERE purpose=? AND person=?").run(purpose, person);
  }

  countWrongCode(purpose: string, now: number, tries: number): number {
    this.sql.get("UPDATE one_time_codes SET wrong=wrong+1 WHERE purpose=? AND expires>?").run(purpose, now);
    this.sql.get("DELETE FROM one_time_codes WHERE purpose=? AND wrong>=?").run(purpose, tries);
    const most = this.sql
      .get("SELECT min(wrong) AS wrong FROM one_time_codes WHERE purpose=? AND expires>?")
      .get(purpose, now)?.wrong;
    return typeof most === "number" ? tries - most : 0;
  }

  putCredential({ signCount, ...record }: CredentialRecord & { signCount: number }): void {
    this.mirror.credentials.clear();
    const { lastUsedAt: _, ...folded } = record as UsedCredential;
    this.sql
      .get(
        `INSERT INTO credentials (id, seq, person, record, sign_count) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT(id) DO UPDATE SET seq=excluded.seq, person=excluded.person, record=excluded.record`,
      )
      .run(record.id, record.seq, record.person, JSON.stringify(folded), signCount);
  }

  useCredential(id: string, signCount: number, at: string): void {
    this.mirror.credentials.clear();
    this.sql.get("UPDATE credentials SET sign_count=?, last_used_at=? WHERE id=?").run(signCount, at, id);
  }

  putStatement(nonce: string, statement: string, expires: number): void {
    this.sql.get("INSERT INTO statements (nonce, statement, expires) VALUES (?, ?, ?)").run(nonce, statement, expires);
  }

  dropStatement(nonce: string): void {
    this.sql.get("DELETE FROM statements WHERE nonce=?").run(nonce);
  }

  dropStatements(expiredBefore: number): void {
    this.sql.get("DELETE FROM statements WHERE expires<?").run(expiredBefore);
  }
}

/** The columns that rows are found by take the place of the record's own fields, so that verification sees them. */
function toCredential({ id, seq, ...row }: Row): UsedCredential {
  const record = JSON.parse(row.record as string) as CredentialRecord;
  return {
    ...record,
    id: id as string,
    seq: seq as number,
    signCount: row.sign_count as number,
    lastUsedAt: row.last_used_at as string | null,
  };
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
