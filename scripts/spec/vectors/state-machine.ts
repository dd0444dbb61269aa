// The life of a ticket (D6): every pair of states with every event type that takes part in it.
import { assertStep, EDGES, type Json, mayStep, TICKET_STATES, type TicketState } from "@hap/protocol";
import type { Suite } from "../vector.ts";

type Input = { from: TicketState | null; to: TicketState; by: string };

const types = [...new Set(EDGES.flatMap((edge) => edge.by))].sort();

export const stateMachine: Suite = {
  name: "state-machine",
  description: "Whether an event of type input.by may take a ticket from input.from (null: not created) to input.to.",
  flags: {
    Edge: "an edge of the table, by a type that may cause it",
    WrongType: "an edge of the table, by a type that may not cause it",
    NoEdge: "not in the table",
    End: "an end leads nowhere",
  },
  cases: [null, ...TICKET_STATES].flatMap((from) =>
    TICKET_STATES.flatMap((to) =>
      types.map((by) => {
        const result = mayStep(from, to, by) ? ("valid" as const) : ("invalid" as const);
        const known = EDGES.some((edge) => edge.from === from && edge.to === to);
        const ended = !EDGES.some((edge) => edge.from === from);
        const flag = result === "valid" ? "Edge" : known ? "WrongType" : ended ? "End" : "NoEdge";
        return { comment: `${from ?? "not created"} to ${to} by ${by}`, flags: [flag], input: { from, to, by }, result };
      }),
    ),
  ),
  run: (input) => {
    const { from, to, by } = input as unknown as Input;
    assertStep("tk_9f3", from, to, by);
    return { state: to } as Json;
  },
};
