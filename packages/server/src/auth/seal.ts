// Values that a browser keeps for the server: encrypted and authenticated, so that any node can read them back and no one else can.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypt a value for one purpose, until a time in milliseconds. `key` has 32 bytes. */
export function seal(key: Uint8Array, purpose: string, value: unknown, until: number): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(purpose));
  const text = JSON.stringify({ until, value });
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

/** Decrypt a sealed value; null if it was changed, has expired, or was sealed with another key or for another purpose. */
export function unseal<T>(key: Uint8Array, purpose: string, sealed: string, now: number): T | null {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  let text: string;
  try {
    text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    // The only error here is a tag that does not match.
    return null;
  }
  const { until, value } = JSON.parse(text) as { until: number; value: T };
  return until < now ? null : value;
}
