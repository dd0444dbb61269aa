// Which ticket an event is about: each type says it in its own place.
import type { HapEvent } from "./schema/events.ts";

/** The ticket that an event is about, or null. */
export function ticketIdOf(event: HapEvent): string | null {
  if (event.type === "ticket.create") return event.ticket.id;
  if (event.type === "intent.sign") return event.intent.ticket_id;
  return "ticket_id" in event ? event.ticket_id : null;
}
