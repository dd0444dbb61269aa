// One-time codes (D25): 40 bits that a terminal shows and a person types, in Crockford's base32, which forgives I, L, O and lower
// case. The secret of a sign-in link is one too, but longer: no one types it.
import { HapError } from "./errors.ts";

/** What a code is for; a code for one thing opens nothing else. */
export const CODE_PURPOSES = ["login", "enrol", "link"] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

/** How long a code lives, how many wrong ones burn it, and how many random bytes it is made of. */
export const CODE = { ttlMs: 120_000, tries: 5, bytes: 5 } as const;

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_CHARS = 8;

/** Five random bytes as eight characters, with a dash in their middle. */
export function makeCode(random: Uint8Array): string {
  let bits = 0n;
  for (let i = 0; i < CODE.bytes; i++) bits = (bits << 8n) | BigInt(random[i] as number);
  let text = "";
  for (let i = CODE_CHARS - 1; i >= 0; i--) text += alphabet[Number((bits >> BigInt(5 * i)) & 31n)];
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** A code as it was typed, in its one form; an error when it cannot be one. */
export function readCode(typed: string): string {
  const plain = typed.toUpperCase().replace(/[\s-]/g, "").replace(/[IL]/g, "1").replace(/O/g, "0");
  if (plain.length === CODE_CHARS && [...plain].every((char) => alphabet.includes(char)))
    return `${plain.slice(0, 4)}-${plain.slice(4)}`;
  throw new HapError("invalid_input", "code must be the eight letters and digits that the terminal shows, such as 4K7M-92QX.", {
    field: "code",
  });
}

/** How many random bytes the secret of a sign-in link has. */
export const LINK_BYTES = 32;

/** The secret of a sign-in link, in base64url. */
export function makeLinkSecret(random: Uint8Array): string {
  const text = btoa(String.fromCharCode(...random.subarray(0, LINK_BYTES)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The secret of a link, if it can be one. */
export function readLinkSecret(given: string): string {
  if (/^[A-Za-z0-9_-]{43}$/.test(given)) return given;
  throw new HapError("invalid_input", "secret must be what follows `#link=` in a sign-in link.", { field: "secret" });
}
