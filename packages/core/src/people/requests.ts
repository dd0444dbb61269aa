// Requests that may be sent again: what each made is kept for a day, and the log holds a salted digest of it (D35).
import { canonicalJson } from "@hap/protocol";
import { contentDigest } from "../log/contents.ts";
import type { RequestRow } from "../store/store.ts";

/** How long a request is remembered that made something. */
export const REMEMBER_MS = 86_400_000;

/** What the log says of a kept request. Once the row and its salt are gone, it says nothing about the key or the body. */
export function requestDigest({ owner, key, request, ticketId, createdAt, salt }: Omit<RequestRow, "seq">): string {
  return `sha256:${contentDigest(salt, canonicalJson([owner, key, request, ticketId, createdAt]))}`;
}
