// Names, accounts, sign-ins and kept requests, in SQLite.
import type { SessionRecord } from "../../../people/records.ts";
import type { BackupRow, DirectoryRow, RequestRow, SubjectRow } from "../../store.ts";
import { remembered } from "../mirror.ts";
import type { Row } from "../statements.ts";
import { Table } from "./table.ts";

/** Reads of people. */
export class PeopleReads extends Table {
  nameOf(handle: string): string | undefined {
    const read = () => this.sql.get("SELECT name FROM directory WHERE handle=?").get(handle)?.name as string | undefined;
    return remembered(this.mirror.fresh().names, handle, read);
  }

  handleOf(name: string): string | undefined {
    const read = () => this.sql.get("SELECT handle FROM directory WHERE name=?").get(name)?.handle as string | undefined;
    return remembered(this.mirror.fresh().handles, name, read);
  }

  sessionByHash(hash: string): SessionRecord | undefined {
    return remembered(this.mirror.fresh().sessions, hash, () => {
      const row = this.sql.get("SELECT * FROM sessions WHERE hash=?").get(hash);
      return row === undefined ? undefined : toSession(row);
    });
  }

  subjectPerson(issuer: string, subject: string): string | undefined {
    return this.sql.get("SELECT person FROM subjects WHERE issuer=? AND subject=?").get(issuer, subject)?.person as
      | string
      | undefined;
  }

  subject(issuer: string, subject: string): SubjectRow | undefined {
    return this.sql.get("SELECT * FROM subjects WHERE issuer=? AND subject=?").get(issuer, subject) as SubjectRow | undefined;
  }

  listSubjects(): SubjectRow[] {
    return this.sql.get("SELECT * FROM subjects ORDER BY person, issuer, subject").all() as unknown as SubjectRow[];
  }

  /** Every person of the directory. */
  listPeople(): DirectoryRow[] {
    return this.sql
      .get("SELECT handle, name, created_at, seq FROM directory WHERE handle LIKE 'human:%' ORDER BY name")
      .all() as unknown as DirectoryRow[];
  }

  listDirectory(): DirectoryRow[] {
    return this.sql.get("SELECT handle, name, created_at, seq FROM directory ORDER BY handle").all() as unknown as DirectoryRow[];
  }

  listSessions(person?: string): SessionRecord[] {
    const rows =
      person === undefined
        ? this.sql.get("SELECT * FROM sessions ORDER BY hash").all()
        : this.sql.get("SELECT * FROM sessions WHERE person=? ORDER BY hash").all(person);
    return rows.map(toSession);
  }

  listRequests(): RequestRow[] {
    return this.sql
      .get("SELECT owner, key, request, ticket_id AS ticketId, created_at AS createdAt, seq, salt FROM idempotency ORDER BY seq")
      .all() as unknown as RequestRow[];
  }

  listBackups(): BackupRow[] {
    return this.sql.get("SELECT path, made_at FROM backups ORDER BY made_at, path").all() as unknown as BackupRow[];
  }

  idempotent(owner: string, key: string): { request: string; ticketId: string } | undefined {
    return this.sql.get("SELECT request, ticket_id AS ticketId FROM idempotency WHERE owner=? AND key=?").get(owner, key) as
      | { request: string; ticketId: string }
      | undefined;
  }
}

/** Writes of people. */
export class PeopleWrites extends Table {
  putName({ handle, name, created_at, seq }: DirectoryRow): void {
    this.sql
      .get(
        `INSERT INTO directory (handle, name, created_at, seq) VALUES (?, ?, ?, ?)
         ON CONFLICT(handle) DO UPDATE SET seq=excluded.seq`,
      )
      .run(handle, name, created_at, seq);
    this.mirror.names.set(handle, name);
    this.mirror.handles.set(name, handle);
  }

  deleteName(handle: string): void {
    this.sql.get("DELETE FROM directory WHERE handle=?").run(handle);
    this.mirror.names.clear();
    this.mirror.handles.clear();
    this.sql.get("DELETE FROM push_subscriptions WHERE person=?").run(handle);
  }

  putSession(record: SessionRecord): void {
    const { hash, person, kind, how, createdAt, expiresAt, lastUsedAt } = record;
    this.sql
      .get(
        `INSERT INTO sessions (hash, person, kind, how, created_at, expires_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT(hash) DO UPDATE SET expires_at=excluded.expires_at, last_used_at=excluded.last_used_at`,
      )
      .run(hash, person, kind, how, createdAt, expiresAt, lastUsedAt);
    this.mirror.sessions.clear();
  }

  dropSession(hash: string): void {
    this.mirror.sessions.clear();
    this.sql.get("DELETE FROM sessions WHERE hash=?").run(hash);
  }

  putSubject({ issuer, subject, person, created_at, seq }: SubjectRow): void {
    this.sql
      .get("INSERT OR REPLACE INTO subjects (issuer, subject, person, created_at, seq) VALUES (?, ?, ?, ?, ?)")
      .run(issuer, subject, person, created_at, seq);
  }

  dropSubject(issuer: string, subject: string): boolean {
    return this.sql.get("DELETE FROM subjects WHERE issuer=? AND subject=?").run(issuer, subject) > 0;
  }

  putRequest({ owner, key, request, ticketId, createdAt, seq, salt }: RequestRow): void {
    this.sql
      .get("INSERT INTO idempotency (owner, key, request, ticket_id, created_at, seq, salt) VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(owner, key, request, ticketId, createdAt, seq, salt);
  }

  dropIdempotent(before: number): void {
    this.sql.get("DELETE FROM idempotency WHERE created_at<?").run(before);
  }

  putBackup({ path, made_at }: BackupRow): void {
    this.sql.get("INSERT OR REPLACE INTO backups (path, made_at) VALUES (?, ?)").run(path, made_at);
  }

  dropBackup(path: string): void {
    this.sql.get("DELETE FROM backups WHERE path=?").run(path);
  }

  dropWaiting({ handle, name }: { handle: string; name: string }): void {
    this.sql.get("DELETE FROM one_time_codes WHERE person=?").run(handle);
    this.sql.get("DELETE FROM phrases WHERE person=?1 OR instr(ticket_id, ?1)>0").run(handle);
    this.sql.get("DELETE FROM challenges WHERE instr(intent, ?)>0").run(handle);
    this.sql.get("DELETE FROM statements WHERE instr(statement, ?)>0").run(handle);
    this.sql.get("DELETE FROM refusals WHERE person=?").run(handle);
    this.sql.get("DELETE FROM deliveries WHERE instr(body, ?)>0").run(JSON.stringify(name));
  }
}

function toSession(row: Row): SessionRecord {
  return {
    hash: row.hash as string,
    person: row.person as string,
    kind: row.kind as SessionRecord["kind"],
    how: row.how as SessionRecord["how"],
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number,
    lastUsedAt: row.last_used_at as number,
  };
}
