// What people type for a ticket (D12): an id, or a short form that resolves only among their own tickets.
import { HapError, ID_PATTERNS, parseHumanId, quote } from "@hap/protocol";
import { votersOf } from "../quorum/inbox.ts";
import type { StoreReader } from "../store/store.ts";
import { noSuchTicket } from "../transaction/session.ts";

/** So many tickets that need several people are searched for a short form. */
const MOST_QUORUMS = 1000;

/** The ticket that a text names. A second match, exact ones included, is an error. */
export function resolveTicketId(store: StoreReader, text: string, person: string): { id: string; exact: boolean } {
  const typed = text.trim().toLowerCase();
  if (!/^(tk_)?[a-z0-9]{3,}$/.test(typed)) {
    throw new HapError(
      "invalid_id",
      `${quote(text)} names no ticket: give its id (tk_...), or three or more characters from its beginning or end.`,
      { field: "id" },
    );
  }
  const exact = ID_PATTERNS.ticket.test(typed) && store.ticketById(typed) !== undefined ? [typed] : [];
  const handle = store.handleOf(parseHumanId(person, "person"));
  const named = handle === undefined ? [] : [...store.matchIds(typed, handle), ...waitingFor(store, typed, handle)];
  const matches = [...new Set([...exact, ...named])];
  if (matches.length > 1) {
    throw new HapError("ambiguous_id", `${quote(text)} fits several tickets: ${matches.join(", ")}. Type more of it.`, {
      field: "id",
      matches,
    });
  }
  const [id] = matches;
  if (id === undefined) throw noSuchTicket(typed);
  return { id, exact: id === typed };
}

/** Open tickets that wait for this person's vote (D45): they are addressed to another of the same quorum. */
function waitingFor(store: StoreReader, typed: string, handle: string): string[] {
  const bare = typed.startsWith("tk_") ? typed.slice(3) : typed;
  const open = store.listQuorums(undefined, MOST_QUORUMS).filter(({ ticket }) => {
    const id = ticket.id.slice(3);
    return id.startsWith(bare) || id.endsWith(bare);
  });
  return open.filter((record) => votersOf(store, record).includes(handle)).map(({ ticket }) => ticket.id);
}
