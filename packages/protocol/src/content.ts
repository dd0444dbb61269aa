// Contents lie beside the log (D19): a payload holds only a reference, `text:sha256:…` or `json:sha256:…`,
// the salted digest of the text. References describe themselves, so that any reader can find and resolve them.
import type { Json } from "./canonical-json.ts";
import type { Sha256 } from "./hash.ts";

/** How a content is to be read: as words, or as the canonical JSON of a value. */
export type ContentMedia = "text" | "json";
/** A salted digest in place of a text: `media:sha256:hex`. */
export type ContentRef = `${ContentMedia}:sha256:${string}`;

const refPattern = /^(text|json):sha256:([0-9a-f]{64})$/;

const refLength = "text:sha256:".length + 64;

/** Salt length in bytes; the digest is sha256(salt || utf8 text). */
export const SALT_BYTES = 16;

/** Make a reference from the hex digest of `salt || text`. */
export function makeRef(media: ContentMedia, digestHex: string): ContentRef {
  return `${media}:sha256:${digestHex}`;
}

/** The reference of a text under its salt. */
export function refOf(media: ContentMedia, salt: Uint8Array, text: string, sha256: Sha256): ContentRef {
  const bytes = new TextEncoder().encode(text);
  const salted = new Uint8Array(salt.length + bytes.length);
  salted.set(salt);
  salted.set(bytes, salt.length);
  return makeRef(media, sha256(salted));
}

/** True for a string that stands for a content. No token of ours is long enough to look like one. */
export function isRef(value: unknown): value is ContentRef {
  return typeof value === "string" && value.length === refLength && refPattern.test(value);
}

/** The digest inside a reference, as the statement and the contents table carry it. */
export function refDigest(ref: ContentRef): string {
  return ref.slice(ref.indexOf(":") + 1);
}

/** How the content of a reference is read. */
export function refMedia(ref: ContentRef): ContentMedia {
  return ref.startsWith("json:") ? "json" : "text";
}

/** Every reference in a payload, in order of appearance. */
export function findRefs(payload: Json): ContentRef[] {
  const found: ContentRef[] = [];
  collect(payload, found);
  return found;
}

const algorithm = ":sha256:";

/** The same from a payload's JSON, which need not be walked then: inside a string, a quotation mark stands behind a backslash. */
export function findRefsInText(payload: string): ContentRef[] {
  const found: ContentRef[] = [];
  for (let at = payload.indexOf(algorithm); at !== -1; at = payload.indexOf(algorithm, at + algorithm.length)) {
    const start = at - "text".length;
    const ref = payload.slice(start, start + refLength);
    if (payload[start - 1] === '"' && payload[start + refLength] === '"' && isRef(ref)) found.push(ref);
  }
  return found;
}

function collect(value: Json | undefined, found: ContentRef[]): void {
  if (typeof value === "string") {
    if (isRef(value)) found.push(value);
  } else if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) collect(item, found);
  }
}

/** Rebuild a payload with every string passed through `replace`: how references and handles become words and names. */
export function mapStrings(value: Json, replace: (text: string) => Json): Json {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapStrings(item, replace));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, item === undefined ? item : mapStrings(item, replace)]),
    );
  }
  return value;
}

/** What stands where a text was erased. */
export const ERASED = "[erased]";

/** Which texts of a ticket were erased. */
export type EraseResult = {
  ticket_id: string;
  erased: { field: string; digest: string }[];
  /** What is still to happen before the bytes are gone, where that is not in the hands of HAP. */
  pending?: string;
};
