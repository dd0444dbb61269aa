// Browsers that a person wants to be called in (Web Push). Settings, not decisions, so they lie beside the log.

/** One browser's address at its push service, and the keys that messages for it are encrypted with. */
export type PushRecord = {
  /** Where the push service takes messages for this browser: whoever knows it and the server's key can send there. */
  endpoint: string;
  /** A handle. */
  person: string;
  /** The browser's public key and its secret, as the browser writes them (base64url). */
  p256dh: string;
  auth: string;
  /** The server's public key that the browser was given; messages signed by another are refused. */
  serverKey: string;
  createdAt: number;
};
