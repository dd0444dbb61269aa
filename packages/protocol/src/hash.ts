// Hashing is an input: this package runs in a browser too. Every function here takes the sha256 of its host.
import { canonicalJson, type Json } from "./canonical-json.ts";

/** Lower-case hex sha256 of a text's UTF-8 bytes, or of bytes. */
export type Sha256 = (data: string | Uint8Array) => string;

/** A hash that carries its algorithm. */
export function prefixedHash(data: string | Uint8Array, sha256: Sha256): string {
  return `sha256:${sha256(data)}`;
}

/** The hash of a value's canonical JSON. */
export function hashJson(value: Json, sha256: Sha256): string {
  return prefixedHash(canonicalJson(value), sha256);
}

/** The chain's link (D20): sha256 over the previous hash, two bars and the stored text. */
export function eventHash(prevHash: string, payloadText: string, sha256: Sha256): string {
  return sha256(`${prevHash}||${payloadText}`);
}
