// The phrase that confirms a yes (D3): it names the decision and its target, and ends in characters of chance. The engine
// issues it and checks it; a face only shows it and passes on what was typed.
import type { Ticket } from "./schema/ticket.ts";

/** How long a phrase is valid, how often it may be typed wrongly, and how many characters of chance it ends in. */
export const PHRASE = { ttlMs: 120_000, tries: 3, chars: 4 } as const;

/** Decisions that a phrase confirms. */
export const PHRASE_DECISIONS = ["approve", "answer"] as const;
export type PhraseDecision = (typeof PHRASE_DECISIONS)[number];

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** `words` and characters of chance: `approve production 23c8`. */
export function makePhrase(words: string, random: Uint8Array): string {
  return `${words} ${Array.from(random.subarray(0, PHRASE.chars), (byte) => alphabet[byte & 31]).join("")}`;
}

/** What the phrase of a ticket begins with: the decision, and where it would happen, else what it is. */
export function phraseWords({ artifact, intent }: Pick<Ticket, "artifact" | "intent">, decision: PhraseDecision): string {
  return `${decision} ${artifact.environment ?? intent.kind}`;
}

/** What was typed, compared without regard to case and spaces. */
export function readPhrase(typed: string): string {
  return typed.trim().replace(/\s+/g, " ").toLowerCase();
}
