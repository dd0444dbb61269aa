// An id of one's own, derived: the same parts give the same id, so that a program that runs again finds the ticket that it opened.
import { createHash } from "node:crypto";
import { canonicalJson } from "@hap/protocol";

/**
 * The id of a ticket, derived from what makes it one: `ticketId("deploy", "api", "1.4.2")`. The same parts in the same order give
 * the same id, everywhere; at least one part is needed. Pass it as `id` to `createTicket`.
 */
export function ticketId(...parts: readonly (string | number)[]): string {
  if (parts.length === 0) throw new TypeError("ticketId() needs at least one part, such as the name of what is asked.");
  return `tk_${createHash("sha256")
    .update(canonicalJson([...parts]))
    .digest("hex")
    .slice(0, LENGTH)}`;
}

/** 40 hexadecimal digits: 160 bits, and within what a program may bring of its own (17 to 64 characters behind the prefix). */
const LENGTH = 40;
