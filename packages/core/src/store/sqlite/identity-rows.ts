// Keys, sign-ins and subjects in SQLite.
import type { KeyRecord, SessionRecord } from "../../people/records.ts";
import type { BackupRow, DirectoryRow, RequestRow, SubjectRow } from "../store.ts";
import { remembered } from "./mirror.ts";
import type { Row, Statements } from "./statements.ts";
import { WebhookReader } from "./webhook-rows.ts";

/** The reads; the store's reader stands on them. */
export class IdentityReader extends WebhookReader {
  keyById(id: string): KeyRecord | undefined {
    return remembered(this.mirror.fresh().keys, id, () => {
      const row = this.sql.get("SELECT * FROM api_keys WHERE id=?").get(id);
      return row === undefined ? undefined : toKey(row);
    });
  }

  /** Newest first, each with its last use. */
  listKeys(): (KeyRecord & { lastUsedAt: string | null })[] {
    return this.sql
      .get("SELECT * FROM api_keys ORDER BY seq DESC")
      .all()
      .map((row) => ({ ...toKey(row), lastUsedAt: row.last_used_at as string | null }));
  }

  keyLastUsed(id: string): string | null {
    return (this.sql.get("SELECT last_used_at AS at FROM api_keys WHERE id=?").get(id)?.at as string | null | undefined) ?? null;
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

  agentOwner(agent: string): string | undefined {
    return this.sql.get("SELECT owner FROM agent_owners WHERE agent=?").get(agent)?.owner as string | undefined;
  }

  listAgentOwners(): { agent: string; owner: string }[] {
    return this.sql.get("SELECT agent, owner FROM agent_owners ORDER BY agent").all() as unknown as {
      agent: string;
      owner: string;
    }[];
  }

  listRequests(): RequestRow[] {
    return this.sql
      .get("SELECT owner, key, request, ticket_id AS ticketId, created_at AS createdAt, seq, salt FROM idempotency ORDER BY seq")
      .all() as unknown as RequestRow[];
  }

  /** Escalations name who had a ticket, and refusals who was said to try: neither is an act of theirs. */
  hasActed(handle: string): boolean {
    const query = `SELECT 1 FROM events WHERE (instr(payload, '"from":"' || ?1 || '"')>0
        AND json_extract(payload, '$.type') NOT IN ('ticket.escalate', 'intent.invalid'))
      OR (instr(payload, '"person":"' || ?1 || '"')>0 AND json_extract(payload, '$.type')='session.begin') LIMIT 1`;
    return this.sql.get(query).get(handle) !== undefined;
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

/** Write a key as it is now. */
export function putKey(sql: Statements, record: KeyRecord): void {
  const { id, seq, agent, scopes, keyHash, createdBy, createdAt, expiresAt, replaces, revokedAt } = record;
  sql
    .get(
      `INSERT INTO api_keys (id, seq, agent, scopes, key_hash, created_by, created_at, expires_at, replaces, revoked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET revoked_at=excluded.revoked_at`,
    )
    .run(id, seq, agent, JSON.stringify(scopes), keyHash, createdBy, createdAt, expiresAt, replaces, revokedAt);
}

/** Write a sign-in as it is now. */
export function putSession(sql: Statements, record: SessionRecord): void {
  const { hash, person, kind, how, createdAt, expiresAt, lastUsedAt } = record;
  sql
    .get(
      `INSERT INTO sessions (hash, person, kind, how, created_at, expires_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT(hash) DO UPDATE SET expires_at=excluded.expires_at, last_used_at=excluded.last_used_at`,
    )
    .run(hash, person, kind, how, createdAt, expiresAt, lastUsedAt);
}

/** Write which person an account means. */
export function putSubject(sql: Statements, { issuer, subject, person, created_at, seq }: SubjectRow): void {
  sql
    .get("INSERT OR REPLACE INTO subjects (issuer, subject, person, created_at, seq) VALUES (?, ?, ?, ?, ?)")
    .run(issuer, subject, person, created_at, seq);
}

/** Write what a request made. */
export function putRequest(sql: Statements, { owner, key, request, ticketId, createdAt, seq, salt }: RequestRow): void {
  sql
    .get("INSERT INTO idempotency (owner, key, request, ticket_id, created_at, seq, salt) VALUES (?, ?, ?, ?, ?, ?, ?)")
    .run(owner, key, request, ticketId, createdAt, seq, salt);
}

function toKey(row: Row): KeyRecord {
  return {
    id: row.id as string,
    seq: row.seq as number,
    agent: row.agent as string,
    scopes: JSON.parse(row.scopes as string),
    keyHash: row.key_hash as string,
    createdBy: row.created_by as string,
    createdAt: row.created_at as string,
    expiresAt: row.expires_at as string | null,
    replaces: row.replaces as string | null,
    revokedAt: row.revoked_at as string | null,
  };
}
