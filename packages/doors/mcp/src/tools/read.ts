// What an agent reads: its open tickets, one ticket in full, and the status of one in short. Reading delivers nothing (D8).
import { TICKET_STATES } from "@hap/protocol";
import * as z from "zod";
import { describeStatus, statusResult, statusSchema } from "../ticket-words.ts";
import { ticketId } from "./inputs.ts";
import { tool } from "./tool.ts";

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const listPending = tool({
  name: "hap_list_pending",
  title: "List open tickets",
  description:
    "List your open tickets, newest first. You see only your own. Give state to list ended ones: after a restart, state APPROVED shows decisions that came while you were away.",
  annotations: reading,
  forPerson: false,
  input: z.object({
    to: z.string().optional().describe("Only those for this person, human:name."),
    state: z
      .enum(["open", ...TICKET_STATES])
      .optional()
      .describe("Default open: PENDING, DELIVERED and ACKED."),
    limit: z.int().min(1).max(100).optional().describe("At most this many, 1 to 100. Default 20."),
    cursor: z.string().optional().describe("`next` of the page before."),
  }),
  output: z.object({
    tickets: z.array(statusSchema.extend({ summary: z.string(), kind: z.string(), created_at: z.string() })),
    next: z.string().nullable(),
  }),
  async run({ state = "open", limit = 20, to, cursor }, { client }) {
    const narrowed = { ...(to === undefined ? {} : { to }), ...(cursor === undefined ? {} : { cursor }) };
    const { tickets, next } = await client.list({ state, limit, ...narrowed });
    const rows = tickets.map((ticket) => ({
      ...describeStatus(ticket),
      summary: ticket.intent.summary,
      kind: ticket.intent.kind,
      created_at: ticket.created_at,
    }));
    const lines = rows.map(({ ticket_id, status, to, summary }) => `${ticket_id}  ${status}  ${to}  ${summary}`);
    const text = lines.length === 0 ? "There are none." : lines.join("\n");
    return { content: [{ type: "text", text }], structuredContent: { tickets: rows, next } };
  },
});

export const getTicket = tool({
  name: "hap_get_ticket",
  title: "Read a ticket",
  description:
    "Read one of your tickets in full: what you asked, its risk and tier, its lease, and how it ended. To learn only whether it was decided, hap_request_status is shorter.",
  annotations: reading,
  forPerson: false,
  input: z.object({ ticket_id: ticketId }),
  output: z.looseObject({ id: z.string(), state: z.string() }),
  async run({ ticket_id }, { client }) {
    const ticket = await client.getTicket(ticket_id);
    return { content: [{ type: "text", text: JSON.stringify(ticket, null, 2) }], structuredContent: ticket };
  },
});

export const requestStatus = tool({
  name: "hap_request_status",
  title: "Status of a request",
  description: "Check whether a ticket of yours was decided. Returns at once with its status and what to do next.",
  annotations: reading,
  forPerson: false,
  input: z.object({ ticket_id: ticketId }),
  output: statusSchema,
  async run({ ticket_id }, { client }) {
    return statusResult(await client.getTicket(ticket_id));
  },
});
