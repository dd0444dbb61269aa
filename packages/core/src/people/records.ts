// What is known about an API key and about a signed-in person. Keys are made only by these folds (D18).
import type { EventOf, KeyScope, SESSION_KINDS, SESSION_WAYS } from "@hap/protocol";

/** Uses closer together than this are one. */
export const USED_MS = 60_000;

/** A key as the log makes it. The secret itself is nowhere. */
export type KeyRecord = {
  id: string;
  /** Place of its `key.create`. */
  seq: number;
  agent: string;
  scopes: KeyScope[];
  keyHash: string;
  createdBy: string;
  createdAt: string;
  expiresAt: string | null;
  replaces: string | null;
  revokedAt: string | null;
};

/** Where a signed-in person sits, and how they signed in. Times in milliseconds. */
export type SessionRecord = {
  hash: string;
  person: string;
  kind: (typeof SESSION_KINDS)[number];
  how: (typeof SESSION_WAYS)[number];
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number;
};

/** A sign-in ends after this long without use, and after this long in any case. */
const SIGN_IN = {
  cookie: { idleMs: 12 * 3_600_000, longestMs: 7 * 86_400_000 },
  token: { idleMs: 30 * 86_400_000, longestMs: 90 * 86_400_000 },
} as const;

/** When a sign-in ends that is not used again. */
export function sessionExpiry({ kind, createdAt, lastUsedAt }: Omit<SessionRecord, "expiresAt">): number {
  const { idleMs, longestMs } = SIGN_IN[kind];
  return Math.min(lastUsedAt + idleMs, createdAt + longestMs);
}

/** The key that a creation makes. */
export function foldKey(event: EventOf<"key.create">): KeyRecord {
  const { key_id: id, seq, agent, scopes, key_hash: keyHash, from: createdBy, ts, expires_at: expiresAt, replaces } = event;
  return { id, seq, agent, scopes, keyHash, createdBy, createdAt: ts, expiresAt, replaces, revokedAt: null };
}

/** The key after it was taken back. */
export function foldRevoke(record: KeyRecord, event: EventOf<"key.revoke">): KeyRecord {
  return { ...record, revokedAt: event.ts };
}
