// Who made an event, as its payload says.
import type { HapEvent } from "@hap/protocol";

/** The handle or agent id of the maker; null where the runtime itself wrote the event. */
export function makerOf(event: HapEvent): string | null {
  switch (event.type) {
    case "intent.sign":
      return event.intent.from;
    case "session.begin":
      return event.person;
    default:
      return "from" in event ? event.from : null;
  }
}
