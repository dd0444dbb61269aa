// What must never reach a log: keys, tokens, cookies, codes, secrets. By the name of a field, and by the look of a text.

const REDACTED = "[redacted]";
const secretName = /^(authorization|cookie|set-cookie|token|secret|password|key|code|handover|verifier|signature)$/i;

/** Each pattern is one kind of secret. The first group, where there is one, stays. */
const patterns: readonly RegExp[] = [
  // API keys, and secrets of webhooks
  /hap_(?:[a-z0-9-]{1,63}\.)?[0-9A-Za-z]{26}_[A-Za-z0-9_-]{43}/g,
  /whsec_[A-Za-z0-9+/=_-]+/g,
  // Headers that somebody quoted
  /((?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]+/gi,
  /((?:__Host-)?hap=)[^;\s"']+/g,
  // Tokens of identity providers
  /eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
  // Sign-in tokens: 32 random bytes
  /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g,
  // One-time codes
  /(?<![A-Za-z0-9-])[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}(?![A-Za-z0-9-])/g,
  // Secrets in the query or the user part of an address
  /([?&](?:code|state|token|access_token|client_secret|key)=)[^&\s"']+/g,
  /(\/\/)[^/\s:@]+:[^/\s@]+(?=@)/g,
];

/** A text without what looks like a secret. */
export function redactText(text: string): string {
  return patterns.reduce(
    (clean, pattern) => clean.replace(pattern, (_, kept) => (typeof kept === "string" ? kept + REDACTED : REDACTED)),
    text,
  );
}

/** Fields of a log line, all the way down, without secrets. */
export function redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, secretName.test(name) ? REDACTED : redactValue(value)]),
  );
}

function redactValue(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value === "object" && value !== null) return redactFields(value as Record<string, unknown>);
  return value;
}
