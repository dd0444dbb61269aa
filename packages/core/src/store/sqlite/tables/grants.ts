// Grants and their uses, in SQLite.
import type { GrantRecord, GrantUseRecord } from "../../../grants/records.ts";
import type { Row } from "../statements.ts";
import { Table } from "./table.ts";

/** Reads of grants. */
export class GrantReads extends Table {
  grantById(id: string): GrantRecord | undefined {
    const row = this.sql.get("SELECT id, seq, person, record FROM grants WHERE id=?").get(id);
    return row === undefined ? undefined : toRecord(row);
  }

  /** Those that no event ended, oldest first; some may be past their time. */
  openGrants(): GrantRecord[] {
    const kept = this.mirror.fresh();
    kept.openGrants ??= this.sql.get("SELECT id, seq, person, record FROM grants WHERE open=1 ORDER BY seq").all().map(toRecord);
    return [...kept.openGrants];
  }

  /** Newest first. */
  listGrants(): GrantRecord[] {
    return this.sql.get("SELECT id, seq, person, record FROM grants ORDER BY seq DESC").all().map(toRecord);
  }

  /** The newest uses of a grant, newest first. */
  grantUses(id: string, limit: number): GrantUseRecord[] {
    return this.sql.get("SELECT * FROM grant_uses WHERE grant_id=? ORDER BY seq DESC LIMIT ?").all(id, limit).map(toUse);
  }

  /** The newest use by an agent for a call. */
  grantUseOf(by: string, callHash: string): GrantUseRecord | undefined {
    const row = this.sql
      .get("SELECT * FROM grant_uses WHERE call_hash=? AND agent=? ORDER BY seq DESC LIMIT 1")
      .get(callHash, by);
    return row === undefined ? undefined : toUse(row);
  }

  countGrantUses(): number {
    return this.sql.get("SELECT count(*) AS count FROM grant_uses").get()?.count as number;
  }
}

/** Writes of grants. */
export class GrantWrites extends Table {
  putGrant(record: GrantRecord): void {
    const { id, seq, person, endedAt } = record;
    this.sql
      .get(
        `INSERT INTO grants (id, seq, person, open, record) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT(id) DO UPDATE SET open=excluded.open, record=excluded.record`,
      )
      .run(id, seq, person, endedAt === null ? 1 : 0, JSON.stringify(record));
    this.mirror.openGrants = null;
  }

  putGrantUse({ grantId, seq, at, callHash, by }: GrantUseRecord): void {
    this.sql
      .get("INSERT INTO grant_uses (grant_id, seq, at, call_hash, agent) VALUES (?, ?, ?, ?, ?)")
      .run(grantId, seq, at, callHash, by);
  }

  clearGrants(): void {
    this.sql.get("DELETE FROM grants").run();
    this.sql.get("DELETE FROM grant_uses").run();
    this.mirror.openGrants = null;
  }
}

/** The columns that rows are found by take the place of the record's own fields, so that verification sees them. */
function toRecord({ id, seq, person, record }: Row): GrantRecord {
  const kept = JSON.parse(record as string) as GrantRecord;
  return { ...kept, id: id as string, seq: seq as number, person: person as string };
}

function toUse(row: Row): GrantUseRecord {
  return {
    grantId: row.grant_id as string,
    seq: row.seq as number,
    at: row.at as number,
    callHash: row.call_hash as string,
    by: row.agent as string,
  };
}
