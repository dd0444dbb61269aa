// Tickets of each space. Every server that has a space open counts all of its events, whichever server wrote them: read the largest
// value over the servers, not the sum.
import type { HapEvent } from "@hap/protocol";
import type { Registry } from "prom-client";

type PromClient = typeof import("prom-client");

/** The number of spaces that get a series of their own; later ones count as `other`. */
const SPACES_MAX = 100;

/** Counters of the spaces that this server has open. */
export function spaceMetrics({ Counter }: PromClient, registry: Registry) {
  const tickets = new Counter({
    name: "hap_space_tickets_total",
    help: "Tickets of a space: opened, resolved, timed out, canceled",
    labelNames: ["space", "what"],
    registers: [registry],
  });
  const known = new Set<string>();

  function count(event: HapEvent): void {
    const { space } = event;
    const what = whatHappened(event);
    if (what === null) return;
    if (known.size < SPACES_MAX) known.add(space);
    tickets.inc({ space: known.has(space) ? space : "other", what });
  }
  return { count };
}

function whatHappened({ type }: HapEvent): string | null {
  switch (type) {
    case "ticket.create":
      return "opened";
    case "ticket.resolve":
      return "resolved";
    case "ticket.timeout":
      return "timed_out";
    case "ticket.cancel":
      return "canceled";
    default:
      return null;
  }
}
