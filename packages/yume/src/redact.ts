// Secrets out of what tools say and what is logged: values of the environment that are named like secrets, and tokens that
// are known by their form.

const NAMED = /(?:key|token|secret|password|passwd|credential|passphrase|auth)s?$|^(?:AWS_SESSION_TOKEN|DATABASE_URL)$/i;
/** Shorter values would be found in innocent text. */
const SHORTEST = 8;

const FORMS = [
  /\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{40,}/g,
  /\bglpat-[A-Za-z0-9_-]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{35}/g,
  /\bya29\.[0-9A-Za-z_-]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

export type Redact = (text: string) => string;

/** A function that takes the secrets of this environment out of a text. */
export function makeRedact(env: Readonly<Record<string, string | undefined>>): Redact {
  const values = Object.entries(env)
    .flatMap(([name, value]) => (NAMED.test(name) && value !== undefined && value.length >= SHORTEST ? [{ name, value }] : []))
    .sort((a, b) => b.value.length - a.value.length);
  return (text) => {
    let redacted = text;
    for (const { name, value } of values)
      if (redacted.includes(value)) redacted = redacted.replaceAll(value, `[redacted ${name}]`);
    for (const form of FORMS) redacted = redacted.replace(form, "[redacted secret]");
    return redacted;
  };
}
