// Burned nonces, challenges and phrases, in SQLite.
import type { PhraseRow } from "../../store.ts";
import type { Row } from "../statements.ts";
import { Table } from "./table.ts";

/** Reads of nonces and phrases. */
export class DecisionReads extends Table {
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

  countNonces(): number {
    return (this.sql.get("SELECT count(*) AS n FROM used_nonces").get() as { n: number }).n;
  }

  phrase(ticketId: string, person: string): PhraseRow | undefined {
    const row = this.sql.get("SELECT * FROM phrases WHERE ticket_id=? AND person=?").get(ticketId, person);
    return row === undefined ? undefined : toPhrase(row);
  }
}

/** Writes of nonces and phrases. */
export class DecisionWrites extends Table {
  burnNonce(nonce: string, ticketId: string, at: string): void {
    this.sql.get("INSERT INTO used_nonces (nonce, ticket_id, used_at) VALUES (?, ?, ?)").run(nonce, ticketId, at);
  }

  countRefusal(person: string, minute: number): number {
    return this.sql
      .get(
        `INSERT INTO refusals (person, minute, count) VALUES (?, ?, 1) ON CONFLICT(person) DO UPDATE
         SET count=iif(minute=excluded.minute, count+1, 1), minute=excluded.minute RETURNING count`,
      )
      .get(person, minute)?.count as number;
  }

  putChallenge(nonce: string, ticketId: string, intent: string, expires: number): void {
    this.sql
      .get("INSERT INTO challenges (nonce, ticket_id, intent, expires) VALUES (?, ?, ?, ?)")
      .run(nonce, ticketId, intent, expires);
  }

  takeChallenge(nonce: string): { ticketId: string; intent: string; expires: number } | undefined {
    return this.sql.get("DELETE FROM challenges WHERE nonce=? RETURNING ticket_id AS ticketId, intent, expires").get(nonce) as
      | { ticketId: string; intent: string; expires: number }
      | undefined;
  }

  dropChallenges(which: { ticketId: string } | { expiredBefore: number }): void {
    if ("ticketId" in which) this.sql.get("DELETE FROM challenges WHERE ticket_id=?").run(which.ticketId);
    else this.sql.get("DELETE FROM challenges WHERE expires<?").run(which.expiredBefore);
  }

  putPhrase({ ticketId, person, salt, hash, expires, wrong }: PhraseRow, now: number): void {
    this.sql.get("DELETE FROM phrases WHERE expires<=?").run(now);
    this.sql
      .get("INSERT OR REPLACE INTO phrases (ticket_id, person, salt, hash, expires, wrong) VALUES (?, ?, ?, ?, ?, ?)")
      .run(ticketId, person, salt, hash, expires, wrong);
  }

  dropPhrase(ticketId: string, person: string): void {
    this.sql.get("DELETE FROM phrases WHERE ticket_id=? AND person=?").run(ticketId, person);
  }
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
