// Slow salted hashes of typed secrets. One object serves one call: what it hashed before the transaction, or in an earlier run
// of the command, is not hashed again.
import { scryptSync } from "node:crypto";

/** Some milliseconds a guess: 2^40 of them take longer than two minutes for anybody. */
const SCRYPT = { N: 4096, r: 8, p: 1 };
const HASH_BYTES = 32;

/** Hashes by text and salt. */
export class SlowHashes {
  readonly #known = new Map<string, Uint8Array>();

  /** The hash under which a secret is kept. */
  of(text: string, salt: Uint8Array): Uint8Array {
    const key = `${Buffer.from(salt).toString("hex")} ${text}`;
    const hash = this.#known.get(key) ?? scryptSync(text, salt, HASH_BYTES, SCRYPT);
    this.#known.set(key, hash);
    return hash;
  }
}
