// Identifiers are names, never an order (D12): their shapes, how each is made from random bytes, and short codes.
import { TIMER_ACTOR } from "./constants.ts";
import { HapError } from "./errors.ts";

/** Lower-case Crockford base32: no i, l, o or u, so that a code can be read aloud and typed on a phone. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const made = "[0-9a-hjkmnp-tv-z]{26}";

/** The shapes that readers accept; `tk_` is read from three characters on, since the draft shows such ids. */
export const ID_PATTERNS = {
  ticket: /^tk_[a-z0-9]{3,}$/,
  /** What a client may bring of its own: 20 characters or more, the prefix counted. */
  clientTicket: /^tk_[a-z0-9]{17,64}$/,
  event: new RegExp(`^evt_${made}$`),
  nonce: /^n_[0-9a-f]{32}$/,
  runtime: new RegExp(`^rt_${made}$`),
  project: new RegExp(`^prj_${made}$`),
  message: new RegExp(`^msg_${made}$`),
  key: new RegExp(`^key_${made}$`),
  webhook: new RegExp(`^whk_${made}$`),
  grant: new RegExp(`^gr_${made}$`),
  agentRuntime: /^[a-z0-9_]{1,64}$/,
  human: /^human:[a-z0-9_-]{1,64}$/,
  handle: new RegExp(`^human:${made}$`),
  agent: /^agent:[a-z0-9_-]{1,64}$/,
  asker: /^(agent|system):[a-z0-9_-]{1,64}$/,
  token: /^[a-z0-9][a-z0-9_.:-]{0,63}$/,
  hash: /^sha256:[0-9a-f]{64}$/,
} as const;

/** How many random bytes each maker below wants. */
export const ID_BYTES = 17;

/** Every pair of characters, by its ten bits: half as many pieces to join. */
const pairs = Array.from({ length: 1024 }, (_, bits) => `${alphabet[bits >> 5]}${alphabet[bits & 31]}`);

/** The first bits of `bytes` as an even number of characters. */
function base32(bytes: Uint8Array, chars: number): string {
  if (bytes.length * 8 < chars * 5) throw new RangeError(`base32 of ${bytes.length} bytes has fewer than ${chars} characters`);
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (let at = 0; text.length < chars; at++) {
    buffer = (buffer << 8) | (bytes[at] as number);
    bits += 8;
    if (bits < 10) continue;
    bits -= 10;
    text += pairs[buffer >> bits];
    buffer &= (1 << bits) - 1;
  }
  return text;
}

/** A name of 130 random bits behind a prefix: `tk_`, `rt_`, `prj_`, `msg_`, `key_`, `whk_`, `gr_`, `human:`. */
export function makeId(prefix: "tk_" | "rt_" | "prj_" | "msg_" | "key_" | "whk_" | "gr_" | "human:", random: Uint8Array): string {
  return prefix + base32(random, 26);
}

/** `evt_`, ten characters of `seq`, sixteen of chance: a log finds an event by its name without an index. Still a name. */
export function makeEventId(seq: number, random: Uint8Array): string {
  let place = "";
  let rest = seq;
  for (let i = 0; i < 10; i++) {
    place = alphabet[rest % 32] + place;
    rest = Math.floor(rest / 32);
  }
  return `evt_${place}${base32(random, 16)}`;
}

/** The `seq` inside an event's id. */
export function eventIdSeq(id: string): number {
  let seq = 0;
  for (const char of id.slice(4, 14)) seq = seq * 32 + alphabet.indexOf(char);
  return seq;
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A single-use value of 128 random bits. */
export function makeNonce(random: Uint8Array): string {
  let hex = "";
  for (let i = 0; i < 16; i++) hex += hexOfByte[random[i] as number];
  return `n_${hex}`;
}

/** The last six characters: what a person types on a phone. */
export function shortCode(ticketId: string): string {
  return ticketId.slice(-6);
}

/** `alex` and `human:alex` both name human:alex; anything else is an error that names the field. */
export function parseHumanId(text: string, field: string): string {
  return readId(text.includes(":") ? text : `human:${text}`, text, field, PERSON);
}

/** A person's whole id, as it is on the wire (D13); anything else is an error that names the field. */
export function checkHumanId(text: string, field: string): string {
  return readId(text, text, field, PERSON);
}

/** `ci` and `agent:ci` both name agent:ci; anything else is an error that names the field. */
export function parseAskerId(text: string, field: string): string {
  return readId(text.includes(":") ? text : `agent:${text}`, text, field, ASKER);
}

/** An asker's whole id, as it is on the wire (D13); anything else is an error that names the field. */
export function checkAskerId(text: string, field: string): string {
  return readId(text, text, field, ASKER);
}

const PERSON = { pattern: ID_PATTERNS.human, words: "a person is human:NAME" };
const ASKER = { pattern: ID_PATTERNS.asker, words: "an agent is agent:NAME" };

function readId(id: string, typed: string, field: string, { pattern, words }: typeof PERSON | typeof ASKER): string {
  if (id === TIMER_ACTOR.id)
    throw new HapError("invalid_id", `${field} is ${quote(typed)}, which is the timer's own name; choose another.`, { field });
  if (pattern.test(id)) return id;
  throw new HapError("invalid_id", `${field} is ${quote(typed)}; ${words}, NAME of a-z, 0-9, _ and - (up to 64).`, { field });
}

/** Turn any name, say an operating-system user, into the NAME of an id. */
export function toIdName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "_")
    .slice(0, 64);
  return name === "" ? "local" : name;
}

/** A text for an error message: JSON-quoted, invisible characters shown, at most 60 characters. */
export function quote(text: string): string {
  const cut = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(cut.toWellFormed()).replace(
    /[^ -~…]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
