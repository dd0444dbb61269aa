// Signatures as Standard Webhooks wants them: HMAC-SHA256 over id, time and body, under the webhook's own secret.
import { createHmac } from "node:crypto";

/** The three headers of a message. `seconds` is the time of this try. */
export function signedHeaders(secret: string, id: string, seconds: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
}
