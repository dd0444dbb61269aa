// Texts beside the log (D19): each gets a random salt, the log gets the digest, and an erased text shows as such.
import { hash } from "node:crypto";
import {
  type ContentMedia,
  type ContentRef,
  canonicalJson,
  HapError,
  type Json,
  LIMITS,
  makeRef,
  refDigest,
  refMedia,
} from "@hap/protocol";
import type { ContentRow, ViewSource } from "../store/store.ts";
import type { Names } from "../transaction/facts.ts";

/** A text that waits to be stored together with the event that refers to it. */
export type NewContent = { ref: ContentRef; salt: Uint8Array; body: string };

/** Where short texts are put together with their salts: a buffer for each would cost more than its digest. */
const desk = Buffer.alloc(16_384);

/** sha256(salt || text) as hex. A salt is its bytes, or their hex. */
export function contentDigest(salt: Uint8Array | string, body: string): string {
  const most = salt.length + body.length * 3;
  const bytes = most > desk.length ? Buffer.alloc(most) : desk;
  const salted = typeof salt === "string" ? salt.length / 2 : salt.length;
  if (typeof salt === "string") bytes.write(salt, "hex");
  else bytes.set(salt);
  const end = salted + bytes.write(body, salted);
  return hash("sha256", bytes.subarray(0, end), "hex");
}

/** Words that can be kept exactly; returns them. */
export function checkWords(field: string, text: string): string {
  if (text.isWellFormed() && !text.includes("\0")) return text;
  throw new HapError("invalid_input", `${field} holds NUL or half of a surrogate pair, which is no text.`, { field });
}

/** Collects the contents of one command. */
export class ContentWriter {
  readonly made: NewContent[] = [];
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  text(field: string, text: string): ContentRef {
    return this.#add("text", field, checkWords(field, text));
  }

  textOrNull(field: string, text: string | null | undefined): ContentRef | null {
    return text === null || text === undefined || text === "" ? null : this.text(field, text);
  }

  json(field: string, value: Json): ContentRef {
    return this.#add("json", field, canonicalJson(value));
  }

  jsonOrNull(field: string, value: Json | null | undefined): ContentRef | null {
    return value === null || value === undefined ? null : this.json(field, value);
  }

  #add(media: ContentMedia, field: string, body: string): ContentRef {
    const bytes = Buffer.byteLength(body);
    if (bytes > LIMITS.contentBytes) {
      throw new HapError(
        "too_large",
        `${field} has ${bytes} bytes; at most ${LIMITS.contentBytes} are allowed. Shorten it, or refer to a file.`,
        { field, bytes, limit: LIMITS.contentBytes },
      );
    }
    const salt = this.#names.salt();
    const ref = makeRef(media, contentDigest(salt, body));
    this.made.push({ ref, salt, body });
    return ref;
  }
}

/** Reads contents of one ticket (or of one event that has none). Erased ones are `undefined`. */
export class ContentReader {
  readonly #store: ViewSource;
  readonly #ticketSeq: number;
  #rows: ReadonlyMap<string, ContentRow> | null = null;

  constructor(store: ViewSource, ticketSeq: number) {
    this.#store = store;
    this.#ticketSeq = ticketSeq;
  }

  /** The words or the value behind a reference, or undefined when it was erased. */
  resolve(ref: ContentRef): Json | undefined {
    this.#rows ??= this.#store.contents(this.#ticketSeq);
    const row = this.#rows.get(refDigest(ref));
    if (row === undefined) return undefined;
    return refMedia(ref) === "json" ? JSON.parse(row.body) : row.body;
  }
}
