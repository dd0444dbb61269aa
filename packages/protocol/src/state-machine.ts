// The life of a ticket as a table (D6): each edge, and the only event types that may cause it.
import type { TicketState } from "./constants.ts";
import { HapError } from "./errors.ts";

/** One allowed step; `from: null` is creation. */
export type Edge = { from: TicketState | null; to: TicketState; by: readonly string[] };

const cancelOrTimer = ["ticket.cancel", "ticket.resolve"] as const;
const resolve = ["ticket.resolve"] as const;

/** Every edge there is. What is not here is an error. */
export const EDGES: readonly Edge[] = [
  { from: null, to: "PENDING", by: ["ticket.create"] },
  { from: "PENDING", to: "DELIVERED", by: ["ticket.state_change"] },
  { from: "PENDING", to: "PENDING", by: ["ticket.escalate", "ticket.reassign"] },
  { from: "PENDING", to: "CANCELED", by: cancelOrTimer },
  { from: "PENDING", to: "EXPIRED", by: resolve },
  { from: "DELIVERED", to: "ACKED", by: ["ticket.ack"] },
  { from: "DELIVERED", to: "PENDING", by: ["ticket.escalate", "ticket.reassign"] },
  { from: "DELIVERED", to: "APPROVED", by: resolve },
  { from: "DELIVERED", to: "REJECTED", by: resolve },
  { from: "DELIVERED", to: "CHANGES_REQUESTED", by: resolve },
  { from: "DELIVERED", to: "ANSWERED", by: resolve },
  { from: "DELIVERED", to: "EXPIRED", by: resolve },
  { from: "DELIVERED", to: "CANCELED", by: cancelOrTimer },
  { from: "ACKED", to: "DELIVERED", by: ["ticket.state_change"] },
  { from: "ACKED", to: "PENDING", by: ["ticket.reassign"] },
  { from: "ACKED", to: "APPROVED", by: resolve },
  { from: "ACKED", to: "REJECTED", by: resolve },
  { from: "ACKED", to: "CHANGES_REQUESTED", by: resolve },
  { from: "ACKED", to: "ANSWERED", by: resolve },
  { from: "ACKED", to: "CANCELED", by: ["ticket.cancel"] },
];

const causes = new Map(EDGES.map((edge) => [`${edge.from ?? ""}>${edge.to}`, edge.by]));

/** True when `type` may take a ticket from one state to the other. */
export function mayStep(from: TicketState | null, to: TicketState, type: string): boolean {
  return causes.get(`${from ?? ""}>${to}`)?.includes(type) ?? false;
}

/** The states that a ticket in `from` can go to. */
export function nextStates(from: TicketState | null): TicketState[] {
  return EDGES.filter((edge) => edge.from === from).map((edge) => edge.to);
}

/** Refuse a step that is not in the table, naming both states. */
export function assertStep(ticketId: string, from: TicketState | null, to: TicketState, type: string): void {
  if (mayStep(from, to, type)) return;
  const allowed = [...new Set(nextStates(from))].join(", ") || "nothing: it has ended";
  throw new HapError(
    "wrong_state",
    `${ticketId} is ${from ?? "not created"}: it cannot become ${to} by ${type}. From here it can become ${allowed}.`,
    {
      ticket_id: ticketId,
      from_state: from,
      to_state: to,
      type,
    },
  );
}
