// Keeping an open conversation up by what happened, without fetching all of it again.
import { type Conversation, type LoggedEvent, ticketIdOf } from "@hap/protocol";

/** How many of the newest questions are fetched when something happened. */
export const NEWEST = 5;

/** What to fetch after events: all, nothing, or the newest and some older tickets. */
export function whatToFetch(
  { agent: { agent }, tickets }: Conversation,
  events: readonly LoggedEvent[],
): "all" | "nothing" | { older: string[] } {
  const known = new Set(tickets.map(({ id }) => id));
  const newest = new Set(tickets.slice(-NEWEST).map(({ id }) => id));
  const own = events.filter(({ payload }) => {
    if (payload.type === "ticket.create") return payload.ticket.from === agent;
    return "agent" in payload ? payload.agent === agent : known.has(ticketIdOf(payload) ?? "");
  });
  // Erased words, words that were read long after they were left, and many questions at once may be anywhere.
  const asked = own.filter(({ type }) => type === "ticket.create").length;
  if (asked >= NEWEST || own.some(({ type }) => type === "message.take" || type === "message.arrange")) return "all";
  if (events.some(({ type }) => type === "content.erased")) return "all";
  if (own.length === 0) return "nothing";
  const ids = new Set(
    own.map(({ payload }) => ticketIdOf(payload)).filter((id) => id !== null && known.has(id) && !newest.has(id)),
  );
  return { older: [...ids] as string[] };
}

/** A conversation with what was fetched since in its place. */
export function joined(known: Conversation, fresh: Conversation): Conversation {
  const byId = <T extends { id: string }>(before: readonly T[], after: readonly T[]) => [
    ...new Map([...before, ...after].map((item) => [item.id, item])).values(),
  ];
  return { agent: fresh.agent, tickets: byId(known.tickets, fresh.tickets), messages: byId(known.messages, fresh.messages) };
}
