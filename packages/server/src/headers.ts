// What every response carries: a page may load our own files and talk to us, and nobody may frame it.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const always: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "publickey-credentials-get=(self), publickey-credentials-create=(self)",
};
const overTls = { ...always, "strict-transport-security": "max-age=31536000" };

/** The headers of a response that was made of these. */
export function withSecureHeaders(headers: Readonly<Record<string, string>>, tls: boolean): Record<string, string> {
  return { "cache-control": "no-store", ...headers, ...(tls ? overTls : always) };
}

/** Add the security headers to a response. */
export function secureHeaders(headers: Headers, tls: boolean): void {
  for (const [name, value] of Object.entries(tls ? overTls : always)) headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
}
