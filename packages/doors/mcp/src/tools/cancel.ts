// hap_cancel_ticket: the agent withdraws what it no longer wants.
import * as z from "zod";
import { statusResult, statusSchema } from "../ticket-words.ts";
import { ticketId } from "./inputs.ts";
import { tool } from "./tool.ts";

export const cancelTicket = tool({
  name: "hap_cancel_ticket",
  title: "Withdraw a ticket",
  description:
    "Withdraw an open ticket of yours when it no longer matters, for example because the code changed. Say why; the person sees it. A decided ticket cannot be withdrawn.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  forPerson: false,
  input: z.object({ ticket_id: ticketId, reason: z.string().max(1000).optional().describe("Why, in a few words.") }),
  output: statusSchema,
  async run({ ticket_id, reason }, { client }) {
    return statusResult(await client.cancel(ticket_id, reason));
  },
});
