// One-time codes (D25): 40 bits that a terminal shows and a person types. Crockford's base32 forgives I, L, O and small letters.
import { HapError } from "./errors.ts";

/** What a code is for; a code for one thing opens nothing else. */
export const CODE_PURPOSES = ["login", "enrol"] as const;
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
