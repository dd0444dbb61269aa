// X-Hub-Signature-256: the HMAC of the body's bytes under the webhook's secret, compared in constant time.
import { createHmac, timingSafeEqual } from "node:crypto";

/** True when the header was made with the secret for exactly these bytes. */
export function isSigned(body: Uint8Array, header: string | undefined, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(header ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
