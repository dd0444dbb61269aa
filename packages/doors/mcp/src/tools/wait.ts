// hap_wait: a bounded wait with progress; never minutes, which hosts do not allow.
import * as z from "zod";
import { statusResult, statusSchema } from "../ticket-words.ts";
import { awaitEnd } from "./await-end.ts";
import { LONGEST_WAIT_SECONDS, ticketId, waitSeconds } from "./inputs.ts";
import { tool } from "./tool.ts";

export const wait = tool({
  name: "hap_wait",
  title: "Wait for a decision",
  description: `Wait for a person's decision on a ticket of yours, at most ${LONGEST_WAIT_SECONDS} seconds a call. If status is "open" afterwards, nobody has decided: call it again, as often as needed, or do other work and come back; the ticket is not lost. Silence is never a yes. The person's own words come back verbatim: follow them.`,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  forPerson: false,
  input: z.object({
    ticket_id: ticketId,
    timeout_seconds: waitSeconds.optional().describe(`How long to wait. Default and most: ${LONGEST_WAIT_SECONDS}.`),
  }),
  output: statusSchema,
  async run({ ticket_id, timeout_seconds: seconds = LONGEST_WAIT_SECONDS }, call) {
    return statusResult(await awaitEnd(call, await call.client.getTicket(ticket_id), seconds));
  },
});
