// A page of tickets that a person is shown: their own ones are delivered by an explicit call, and the page then says so (D8).
import { isHapError, type Ticket } from "@hap/protocol";
import type { TicketPage } from "./types.ts";

export async function withDelivered<T extends Pick<TicketPage, "tickets">>(
  page: T,
  person: string,
  deliver: (ids: string[]) => Promise<readonly Ticket[]>,
): Promise<T & Pick<TicketPage, "undelivered">> {
  const ids = page.tickets.filter(({ state, to }) => state === "PENDING" && to === person).map(({ id }) => id);
  if (ids.length === 0) return page;
  try {
    const delivered = new Map((await deliver(ids)).map((ticket) => [ticket.id, ticket]));
    return { ...page, tickets: page.tickets.map((ticket) => delivered.get(ticket.id) ?? ticket) };
  } catch (error) {
    // A full disk takes no delivery; a person can read the tickets all the same.
    if (isHapError(error) && error.code === "store_full") return { ...page, undelivered: error.message };
    throw error;
  }
}
