// Which ticket an event is about.
import type { LoggedEvent } from "@hap/protocol";

/** The ticket that an event is about, or null. */
export function ticketOf({ payload }: LoggedEvent): string | null {
  if (payload.type === "ticket.create") return payload.ticket.id;
  if (payload.type === "intent.sign") return payload.intent.ticket_id;
  return "ticket_id" in payload ? payload.ticket_id : null;
}
