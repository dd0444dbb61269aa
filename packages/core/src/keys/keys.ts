// Agents that come in: API keys, and the agents that join through one. A key's life is in the log.
import { HapError, KEY_SCOPES, type KeyScope, type KeyView, parseAskerId, quote } from "@hap/protocol";
import { assertOwner } from "../people/owners.ts";
import { enlistPerson, nameOf } from "../people/people.ts";
import { foldKey, foldRevoke, type KeyRecord, USED_MS } from "../people/records.ts";
import { hashSecret, keyIdOf, SECRET_BYTES, sameHash, writeKey } from "../people/secret.ts";
import type { ViewSource } from "../store/store.ts";
import { fromIso, toIso } from "../tickets/record.ts";
import { type Context, type Facts, unlessReadOnly } from "../transaction/context.ts";
import type { Session } from "../transaction/session.ts";

const LONGEST_KEY_MS = 366 * 86_400_000;

/** What a new key is for. */
type NewKey = {
  agent: string;
  scopes?: readonly string[] | undefined;
  expiresInSeconds?: number | undefined;
  replaces?: string | undefined;
};

/** API keys of agents, and the agents that joined through one. */
export class Keys {
  readonly #engine: Context;
  /** Cache of when a key's use was last written down; only spares looking it up. */
  readonly #used = new Map<string, number>();

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** A new key for an agent. The secret is in the answer and nowhere else. */
  createKey(input: NewKey, by: string): KeyView & { key: string } {
    return this.#engine.run((session, facts) => createKey(session, facts, input, by));
  }

  /** A new secret with the same rights; the old one ends at once. */
  rotateKey(id: string, by: string): KeyView & { key: string } {
    return this.#engine.run((session, facts) => {
      const { agent, scopes, createdAt, expiresAt } = revokeKey(session, facts, id, by);
      const lifetime = expiresAt === null ? undefined : Math.round((fromIso(expiresAt) - fromIso(createdAt)) / 1000);
      return createKey(session, facts, { agent, scopes, expiresInSeconds: lifetime, replaces: id }, by);
    });
  }

  /** Take a key back for good. */
  revokeKey(id: string, by: string): KeyView {
    return this.#engine.run((session, facts) => {
      const record = revokeKey(session, facts, id, by);
      return viewKey(session.tx, { ...record, lastUsedAt: session.tx.keyLastUsed(id) });
    });
  }

  /** Every key, newest first. */
  listKeys(): KeyView[] {
    const { rows } = this.#engine;
    return rows.listKeys().map((record) => viewKey(rows, record));
  }

  /** Whose key this is, and what it allows; an error when it is not valid now. */
  checkKey(key: string): { id: string; agent: string; scopes: KeyScope[] } {
    const id = keyIdOf(key);
    const record = id === null ? undefined : this.#engine.rows.keyById(id);
    if (record === undefined || !sameHash(record.keyHash, hashSecret(key))) throw badKey("is not known here");
    if (record.revokedAt !== null) throw badKey(`was revoked at ${record.revokedAt}`);
    if (record.expiresAt !== null && fromIso(record.expiresAt) <= this.#engine.now())
      throw badKey(`expired at ${record.expiresAt}`);
    this.#noteUse(record);
    return { id: record.id, agent: record.agent, scopes: record.scopes };
  }

  /** True while this key is valid. Unlike `checkKey`, asking is no use of it. */
  isKeyValid(id: string): boolean {
    const record = this.#engine.rows.keyById(id);
    if (record === undefined || record.revokedAt !== null) return false;
    return record.expiresAt === null || fromIso(record.expiresAt) > this.#engine.now();
  }

  #noteUse({ id }: KeyRecord): void {
    const now = this.#engine.now();
    const known = this.#used.get(id);
    if (known !== undefined && Math.abs(now - known) < USED_MS) return;
    const last = this.#engine.rows.keyLastUsed(id);
    if (last === null || now - fromIso(last) >= USED_MS) {
      if (this.#engine.violation() !== null) return;
      unlessReadOnly(() => this.#engine.write((rows) => rows.keyUsed(id, toIso(now))), undefined);
      this.#used.set(id, now);
    } else this.#used.set(id, fromIso(last));
  }

  /** Remember that an agent joined through the key of another. A name that was taken up again stays with its first owner. */
  ownAgent(agent: string, owner: string): void {
    this.#engine.run((session) => {
      if (session.tx.agentOwner(agent) !== undefined) return;
      session.commitApart([{ type: "agent.own", agent, owner }]);
      session.tx.putAgentOwner(agent, owner);
    });
  }

  /** The agent whose key brought this one in, or null. */
  agentOwner(agent: string): string | null {
    return this.#engine.rows.agentOwner(agent) ?? null;
  }
}

function createKey(session: Session, facts: Facts, input: NewKey, by: string): KeyView & { key: string } {
  const agent = parseAskerId(input.agent, "agent");
  const scopes = checkScopes(input.scopes ?? ["create", "read_own"]);
  const lifetime = checkLifetime(input.expiresInSeconds);
  assertOwner(session.tx, facts, by, "make API keys");
  const id = session.names.id("key_");
  const key = writeKey(id, session.names.bytes(SECRET_BYTES), session.tx.space);
  const [event] = session.commitApart([
    {
      type: "key.create",
      key_id: id,
      agent,
      scopes,
      key_hash: hashSecret(key),
      from: enlistPerson(session, by),
      expires_at: lifetime === null ? null : toIso(session.now + lifetime),
      replaces: input.replaces ?? null,
      trust: facts.trust,
    },
  ]);
  const record = foldKey(event);
  session.tx.putKey(record);
  return { ...viewKey(session.tx, { ...record, lastUsedAt: null }), key };
}

function revokeKey(session: Session, facts: Facts, id: string, by: string): KeyRecord {
  const record = session.tx.keyById(id);
  if (record === undefined)
    throw new HapError("key_not_found", `There is no key ${quote(id)}. \`hap key list\` shows those that there are.`, {
      key_id: id,
    });
  assertOwner(session.tx, facts, by, "revoke API keys");
  if (record.revokedAt !== null)
    throw new HapError("wrong_state", `${record.id} was revoked at ${record.revokedAt}.`, { key_id: record.id });
  const [event] = session.commitApart([
    { type: "key.revoke", key_id: record.id, from: enlistPerson(session, by), trust: facts.trust },
  ]);
  const revoked = foldRevoke(record, event);
  session.tx.putKey(revoked);
  return revoked;
}

function viewKey(rows: ViewSource, record: KeyRecord & { lastUsedAt: string | null }): KeyView {
  return {
    id: record.id,
    agent: record.agent,
    scopes: record.scopes,
    created_by: nameOf(rows, record.createdBy),
    created_at: record.createdAt,
    expires_at: record.expiresAt,
    revoked_at: record.revokedAt,
    last_used_at: record.lastUsedAt,
    replaces: record.replaces,
  };
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
