// Keys, sign-ins and subjects in SQLite.
import type { KeyRecord, SessionRecord } from "../../identity/records.ts";
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

  listSubjects(): { issuer: string; subject: string; person: string }[] {
    return this.sql.get("SELECT issuer, subject, person FROM subjects ORDER BY person, issuer, subject").all() as unknown as {
      issuer: string;
      subject: string;
      person: string;
    }[];
  }

  /** Every person of the directory. */
  listPeople(): { handle: string; name: string; created_at: string }[] {
    return this.sql
      .get("SELECT handle, name, created_at FROM directory WHERE handle LIKE 'human:%' ORDER BY name")
      .all() as unknown as { handle: string; name: string; created_at: string }[];
  }

  agentOwner(agent: string): string | undefined {
    return this.sql.get("SELECT owner FROM agent_owners WHERE agent=?").get(agent)?.owner as string | undefined;
  }

  idempotent(owner: string, key: string): { request: string; ticketId: string } | undefined {
    return this.sql.get("SELECT request, ticket_id AS ticketId FROM idempotency WHERE owner=? AND key=?").get(owner, key) as
      | { request: string; ticketId: string }
      | undefined;
  }
}

/** Write a key as it is now. */
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
