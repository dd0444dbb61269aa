// Agents that come in: API keys, and the agents that join through one. A key's life is in the log.
import { HapError, KEY_SCOPES, type KeyScope, type KeyView, parseAskerId, quote } from "@hap/protocol";
import { IdentityEngine } from "../people/identity-engine.ts";
import { nameOf } from "../people/people.ts";
import { foldKey, foldRevoke, type KeyRecord, USED_MS } from "../people/records.ts";
import { hashSecret, keyIdOf, SECRET_BYTES, sameHash, writeKey } from "../people/secret.ts";
import { fromIso, toIso } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";

const LONGEST_KEY_MS = 366 * 86_400_000;

export abstract class KeyEngine extends IdentityEngine {
  /** When a key's use was last written down, as far as this process knows. */
  readonly #used = new Map<string, number>();

  /** A new key for an agent. The secret is in the answer and nowhere else. */
  createKey(
    input: {
      agent: string;
      scopes?: readonly string[] | undefined;
      expiresInSeconds?: number | undefined;
      replaces?: string | undefined;
    },
    by: string,
  ): KeyView & { key: string } {
    const agent = parseAskerId(input.agent, "agent");
    const scopes = checkScopes(input.scopes ?? ["create", "read_own"]);
    const lifetime = checkLifetime(input.expiresInSeconds);
    this.assertOwner(by, "make API keys");
    return this.run((session) => {
      const id = session.names.id("key_");
      const key = writeKey(id, session.names.bytes(SECRET_BYTES));
      const [event] = session.commitApart([
        {
          type: "key.create",
          key_id: id,
          agent,
          scopes,
          key_hash: hashSecret(key),
          from: this.handleIn(session, by),
          expires_at: lifetime === null ? null : toIso(session.now + lifetime),
          replaces: input.replaces ?? null,
          trust: this.trust,
        },
      ]);
      const record = foldKey(event);
      session.tx.putKey(record);
      return { ...this.#viewKey({ ...record, lastUsedAt: null }), key };
    });
  }

  /** A new secret with the same rights; the old one ends at once. */
  rotateKey(id: string, by: string): KeyView & { key: string } {
    return this.run((session) => {
      const old = this.#key(id);
      this.#revoke(session, old, by);
      const lifetime = old.expiresAt === null ? undefined : Math.round((fromIso(old.expiresAt) - fromIso(old.createdAt)) / 1000);
      return this.createKey({ agent: old.agent, scopes: old.scopes, expiresInSeconds: lifetime, replaces: id }, by);
    });
  }

  revokeKey(id: string, by: string): KeyView {
    return this.run((session) => {
      const record = this.#revoke(session, this.#key(id), by);
      return this.#viewKey({ ...record, lastUsedAt: session.tx.keyLastUsed(id) });
    });
  }

  listKeys(): KeyView[] {
    return this.store.listKeys().map((record) => this.#viewKey(record));
  }

  /** Whose key this is, and what it allows; an error when it is not valid now. */
  checkKey(key: string): { id: string; agent: string; scopes: KeyScope[] } {
    const id = keyIdOf(key);
    const record = id === null ? undefined : this.store.keyById(id);
    if (record === undefined || !sameHash(record.keyHash, hashSecret(key))) throw badKey("is not known here");
    if (record.revokedAt !== null) throw badKey(`was revoked at ${record.revokedAt}`);
    if (record.expiresAt !== null && fromIso(record.expiresAt) <= this.now()) throw badKey(`expired at ${record.expiresAt}`);
    this.#noteUse(record);
    return { id: record.id, agent: record.agent, scopes: record.scopes };
  }

  #noteUse({ id }: KeyRecord): void {
    const now = this.now();
    const known = this.#used.get(id);
    if (known !== undefined && Math.abs(now - known) < USED_MS) return;
    const last = this.store.keyLastUsed(id);
    if (last === null || now - fromIso(last) >= USED_MS) {
      if (this.violation() !== null) return;
      this.store.write((tx) => tx.keyUsed(id, toIso(now)));
      this.#used.set(id, now);
    } else this.#used.set(id, fromIso(last));
  }

  #key(id: string): KeyRecord {
    const record = this.store.keyById(id);
    if (record !== undefined) return record;
    throw new HapError("key_not_found", `There is no key ${quote(id)}. \`hap key list\` shows those that there are.`, {
      key_id: id,
    });
  }

  #revoke(session: Session, record: KeyRecord, by: string): KeyRecord {
    this.assertOwner(by, "revoke API keys");
    if (record.revokedAt !== null)
      throw new HapError("wrong_state", `${record.id} was revoked at ${record.revokedAt}.`, { key_id: record.id });
    const [event] = session.commitApart([
      { type: "key.revoke", key_id: record.id, from: this.handleIn(session, by), trust: this.trust },
    ]);
    const revoked = foldRevoke(record, event);
    session.tx.putKey(revoked);
    return revoked;
  }

  #viewKey(record: KeyRecord & { lastUsedAt: string | null }): KeyView {
    return {
      id: record.id,
      agent: record.agent,
      scopes: record.scopes,
      created_by: nameOf(this.store, record.createdBy),
      created_at: record.createdAt,
      expires_at: record.expiresAt,
      revoked_at: record.revokedAt,
      last_used_at: record.lastUsedAt,
      replaces: record.replaces,
    };
  }

  /** Remember that an agent joined through the key of another. A name that was taken up again stays with its first owner. */
  ownAgent(agent: string, owner: string): void {
    this.run((session) => {
      if (session.tx.agentOwner(agent) !== undefined) return;
      session.commitApart([{ type: "agent.own", agent, owner }]);
      session.tx.putAgentOwner(agent, owner);
    });
  }

  /** The agent whose key brought this one in, or null. */
  agentOwner(agent: string): string | null {
    return this.store.agentOwner(agent) ?? null;
  }
}

function checkScopes(scopes: readonly string[]): KeyScope[] {
  const unknown = scopes.find((scope) => !(KEY_SCOPES as readonly string[]).includes(scope));
  if (unknown === undefined && scopes.length > 0) return KEY_SCOPES.filter((scope) => scopes.includes(scope));
  throw new HapError("invalid_input", `scopes holds ${quote(String(unknown))}; choose from ${KEY_SCOPES.join(", ")}.`, {
    field: "scopes",
  });
}

function checkLifetime(seconds: number | undefined): number | null {
  if (seconds === undefined) return null;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds * 1000 <= LONGEST_KEY_MS) return seconds * 1000;
  throw new HapError("invalid_input", `expires is ${seconds} s; a key lives from 1 s to 366 days.`, { field: "expires" });
}

function badKey(why: string): HapError {
  return new HapError("key_invalid", `This API key ${why}. Ask an owner for a new one: \`hap key create --agent agent:NAME\`.`);
}
