// The phrase that confirms a yes (D3): made anew for each occasion, typed by whoever reads it.

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** `words` and four characters of chance. */
export function makePhrase(words: string, randomBytes: (count: number) => Uint8Array): string {
  return `${words} ${Array.from(randomBytes(4), (byte) => alphabet[byte & 31]).join("")}`;
}

/** True when it was typed; spaces more or fewer do not matter. */
export function isPhrase(typed: string, phrase: string): boolean {
  return typed.trim().replace(/\s+/g, " ") === phrase;
}
