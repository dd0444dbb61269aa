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

/** What the phrase of a ticket begins with: the decision and its target. */
export function phraseWords({ artifact, intent }: Pick<Ticket, "artifact" | "intent">, decision: PhraseDecision): string {
  const { command, file } = intent.details as Record<string, unknown>;
  const named = artifact.environment ?? targetOfCommand(command) ?? targetOfFile(file) ?? intent.kind.replaceAll("_", " ");
  return `${decision} ${named}`.toLowerCase();
}

/** A word that can be read and typed without doubt. */
const plainWord = /^[a-z0-9][a-z0-9._-]{0,31}$/i;

/** The program and its verb, such as `git push`: the first plain words of the command. */
function targetOfCommand(command: unknown): string | null {
  if (typeof command !== "string") return null;
  const [program = "", verb = ""] = command.trim().split(/\s+/);
  if (!plainWord.test(program)) return null;
  return plainWord.test(verb) ? `${program} ${verb}` : program;
}

/** The file's own name. */
function targetOfFile(file: unknown): string | null {
  const name = typeof file === "string" ? (file.split("/").at(-1) ?? "") : "";
  return plainWord.test(name) ? name : null;
}

/** What was typed, compared without regard to case and spaces. */
export function readPhrase(typed: string): string {
  return typed.trim().replace(/\s+/g, " ").toLowerCase();
}
