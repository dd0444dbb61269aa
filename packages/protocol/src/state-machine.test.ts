import { describe, expect, test } from "vitest";
import { refusal } from "../test/refusal.ts";
import { isOpen, OPEN_STATES, TICKET_STATES, type TicketState } from "./constants.ts";
import { EVENT_TYPES } from "./schema/events.ts";
import { assertStep, EDGES, mayStep, nextStates } from "./state-machine.ts";

/** D6 once more, by hand: what each state can become, and by which event types only. */
const allowed: Record<string, Partial<Record<TicketState, string[]>>> = {
  "": { PENDING: ["ticket.create"] },
  PENDING: {
    DELIVERED: ["ticket.state_change"],
    PENDING: ["ticket.escalate", "ticket.reassign"],
    CANCELED: ["ticket.cancel", "ticket.resolve"],
    EXPIRED: ["ticket.resolve"],
  },
  DELIVERED: {
    ACKED: ["ticket.ack"],
    PENDING: ["ticket.escalate", "ticket.reassign"],
    APPROVED: ["ticket.resolve"],
    REJECTED: ["ticket.resolve"],
    CHANGES_REQUESTED: ["ticket.resolve"],
    ANSWERED: ["ticket.resolve"],
    EXPIRED: ["ticket.resolve"],
    CANCELED: ["ticket.cancel", "ticket.resolve"],
  },
  ACKED: {
    DELIVERED: ["ticket.state_change"],
    PENDING: ["ticket.reassign"],
    APPROVED: ["ticket.resolve"],
    REJECTED: ["ticket.resolve"],
    CHANGES_REQUESTED: ["ticket.resolve"],
    ANSWERED: ["ticket.resolve"],
    CANCELED: ["ticket.cancel"],
  },
};
const pairs = [null, ...TICKET_STATES].flatMap((from) => TICKET_STATES.map((to) => [from, to] as const));

describe("[TICKET-STATE-1, TICKET-STATE-2, TICKET-STATE-4] every pair of states", () => {
  test.each(pairs)("%s to %s", (from, to) => {
    const causes = EVENT_TYPES.filter((type) => mayStep(from, to, type));
    expect(causes.sort()).toEqual([...(allowed[from ?? ""]?.[to] ?? [])].sort());
    expect(mayStep(from, to, "ticket.teleport")).toBe(false);
  });

  test("each edge stands once in the table and is caused by types that exist", () => {
    expect(new Set(EDGES.map((edge) => `${edge.from}>${edge.to}`)).size).toBe(EDGES.length);
    expect(EDGES.flatMap((edge) => edge.by).filter((type) => !(EVENT_TYPES as string[]).includes(type))).toEqual([]);
  });

  test("an end leads nowhere, an open state somewhere", () => {
    for (const state of TICKET_STATES) expect(nextStates(state).length > 0).toBe(isOpen(state));
    expect(OPEN_STATES.every(isOpen)).toBe(true);
  });
});

describe("[TICKET-STATE-3] a step outside the table is an error that names both states", () => {
  test.each<[TicketState | null, TicketState, string, string]>([
    [
      "PENDING",
      "APPROVED",
      "ticket.resolve",
      "tk_9f3 is PENDING: it cannot become APPROVED by ticket.resolve. From here it can become DELIVERED, PENDING, CANCELED, EXPIRED.",
    ],
    [
      "ACKED",
      "EXPIRED",
      "ticket.resolve",
      "tk_9f3 is ACKED: it cannot become EXPIRED by ticket.resolve. From here it can become DELIVERED, PENDING, APPROVED, REJECTED, CHANGES_REQUESTED, ANSWERED, CANCELED.",
    ],
    [
      "APPROVED",
      "CANCELED",
      "ticket.cancel",
      "tk_9f3 is APPROVED: it cannot become CANCELED by ticket.cancel. From here it can become nothing: it has ended.",
    ],
    [
      "DELIVERED",
      "ACKED",
      "ticket.resolve",
      "tk_9f3 is DELIVERED: it cannot become ACKED by ticket.resolve. From here it can become ACKED, PENDING, APPROVED, REJECTED, CHANGES_REQUESTED, ANSWERED, EXPIRED, CANCELED.",
    ],
    [
      null,
      "DELIVERED",
      "ticket.create",
      "tk_9f3 is not created: it cannot become DELIVERED by ticket.create. From here it can become PENDING.",
    ],
  ])("%s to %s by %s", (from, to, type, message) => {
    expect(refusal(() => assertStep("tk_9f3", from, to, type))).toEqual({ code: "wrong_state", message });
  });

  test("a step in the table is silent", () => {
    for (const edge of EDGES)
      for (const type of edge.by) expect(() => assertStep("tk_9f3", edge.from, edge.to, type)).not.toThrow();
  });
});
