// Secrets that are shown once and kept as hashes. They are random and long, so a plain hash is as good as the secret is.
import { timingSafeEqual } from "node:crypto";
import { DEFAULT_SPACE, ID_PATTERNS, prefixedHash } from "@hap/protocol";
import { sha256 } from "../transaction/facts.ts";

/** How many random bytes a secret is made of. */
export const SECRET_BYTES = 32;

/** An API key as an agent carries it: its space unless that is the default, its id, so that it is found by index, and the secret. */
export function writeKey(id: string, secret: Uint8Array, space: string): string {
  const place = space === DEFAULT_SPACE ? "" : `${space}.`;
  return `hap_${place}${id.slice("key_".length)}_${Buffer.from(secret).toString("base64url")}`;
}

/** The space that a key names; null where it names none, or is no key. */
export function spaceOfKey(key: string): string | null {
  return /^hap_([a-z0-9][a-z0-9-]{0,62})\./.exec(key)?.[1] ?? null;
}

/** The id inside a key, or null when it is none of ours. */
export function keyIdOf(key: string): string | null {
  const parts = /^hap_(?:[a-z0-9-]{1,63}\.)?([^_.]{26})_[A-Za-z0-9_-]{43}$/.exec(key);
  const id = `key_${parts?.[1] ?? ""}`;
  return ID_PATTERNS.key.test(id) ? id : null;
}

/** What is kept of a secret. */
export function hashSecret(secret: string): string {
  return prefixedHash(secret, sha256);
}

/** Compare two hashes without telling by time where they differ. */
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
