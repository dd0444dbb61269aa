// API keys and the owners of agents, in SQLite.
import type { KeyRecord } from "../../../people/records.ts";
import { remembered } from "../mirror.ts";
import type { Row } from "../statements.ts";
import { Table } from "./table.ts";

/** Reads of API keys. */
export class KeyReads extends Table {
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

  agentOwner(agent: string): string | undefined {
    return this.sql.get("SELECT owner FROM agent_owners WHERE agent=?").get(agent)?.owner as string | undefined;
  }

  listAgentOwners(): { agent: string; owner: string }[] {
    return this.sql.get("SELECT agent, owner FROM agent_owners ORDER BY agent").all() as unknown as {
      agent: string;
      owner: string;
    }[];
  }
}

/** Writes of API keys. */
export class KeyWrites extends Table {
  putKey(record: KeyRecord): void {
    const { id, seq, agent, scopes, keyHash, createdBy, createdAt, expiresAt, replaces, revokedAt } = record;
    this.sql
      .get(
        `INSERT INTO api_keys (id, seq, agent, scopes, key_hash, created_by, created_at, expires_at, replaces, revoked_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET revoked_at=excluded.revoked_at`,
      )
      .run(id, seq, agent, JSON.stringify(scopes), keyHash, createdBy, createdAt, expiresAt, replaces, revokedAt);
    this.mirror.keys.clear();
  }

  keyUsed(id: string, at: string): void {
    this.sql.get("UPDATE api_keys SET last_used_at=? WHERE id=?").run(at, id);
  }

  clearKeys(): void {
    this.sql.get("DELETE FROM api_keys").run();
    this.mirror.keys.clear();
  }

  putAgentOwner(agent: string, owner: string): void {
    this.sql.get("INSERT OR REPLACE INTO agent_owners (agent, owner) VALUES (?, ?)").run(agent, owner);
  }
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
