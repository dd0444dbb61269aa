// Whoever on the page wants to hear of events says so here.
import { type LoggedEvent, ticketIdOf } from "@hap/protocol";
import { useEffect } from "preact/hooks";

type Listener = (events: readonly LoggedEvent[]) => void;
const listeners = new Set<Listener>();

/** Pass events on. */
export function publish(events: readonly LoggedEvent[]): void {
  for (const listener of listeners) listener(events);
}

/** Hear events while the component is there. */
export function useEvents(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  });
}

/** Hear that something happened to one ticket. */
export function useTicketEvents(id: string, changed: () => void): void {
  useEvents((events) => {
    if (events.some(({ payload }) => ticketIdOf(payload) === id)) changed();
  });
}
