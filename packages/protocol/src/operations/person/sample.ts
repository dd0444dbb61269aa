// A sample for whoever is new: a ticket to decide, and an agent that waits for it.
import { ticket } from "../either.ts";
import { operation } from "../operation.ts";

export const sampleOperations = {
  /** Opens a harmless ticket for you, of an agent that waits in this process, reads your decision and says so in a note. */
  openSample: operation({
    method: "POST",
    id: "openSample",
    path: "/v1/sample",
    tag: "tickets",
    summary: "Open a sample ticket for this person, of an agent that waits for the decision; the open one, if there is one",
    who: "person",
    output: ticket,
    answer: "The ticket",
    call: () => ({}),
  }),
};
