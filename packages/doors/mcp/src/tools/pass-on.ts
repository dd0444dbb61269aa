// hap_approve_ticket, hap_reject_ticket, hap_ack_ticket: the draft lists them, and none of them decides (D4). Each passes the
// matter on: a question as a form, an approval by a link to the person's own page, else by words that say what to type.
import { isOpen, shortCode, type Ticket } from "@hap/protocol";
import * as z from "zod";
import { afterLink, offerForm, offerLink, takeAnswer } from "../relay.ts";
import { statusResult, statusSchema } from "../ticket-words.ts";
import { ticketId } from "./inputs.ts";
import { type Tool, type ToolCall, type ToolResult, tool } from "./tool.ts";

const COMMENT = "Words of yours for the person, kept as a note of yours on the ticket.";

const words = (description: string) => z.string().max(1000).optional().describe(description);

type Verb = "approve" | "reject" | "ack";

function passOn(verb: Verb, title: string, description: string): Tool {
  return tool({
    name: `hap_${verb}_ticket`,
    title,
    description: `${description} You cannot decide yourself: this asks the person, who decides in their own page or terminal, and returns the current status. Call it when the person is present and wants to decide now; then call hap_wait.`,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    forPerson: true,
    input: z.object({ ticket_id: ticketId, comment: words(COMMENT), note: words("The same as comment.") }),
    output: statusSchema,
    run: ({ ticket_id, comment, note }, call) => pass(verb, ticket_id, [...new Set([comment, note])], call),
  });
}

export const approveTicket = passOn("approve", "Let the person approve", "Let the person approve a ticket of yours.");
export const rejectTicket = passOn("reject", "Let the person reject", "Let the person reject a ticket of yours.");
export const ackTicket = passOn(
  "ack",
  "Let the person acknowledge",
  "Let the person say that they are looking at a ticket of yours, which pauses its lease.",
);

async function pass(verb: Verb, id: string, notes: readonly (string | undefined)[], call: ToolCall): Promise<ToolResult> {
  const { client, powers, face } = call;
  const ticket = await client.getTicket(id);
  if (!isOpen(ticket.state)) return statusResult(await client.heard(id));
  const isQuestion = ticket.ask.type !== "approval";
  // The state says which ticket the form or link before was for; another one begins anew.
  if (call.state?.ticket_id === id) return isQuestion && verb === "approve" ? takeAnswer(call, id) : afterLink(call, id);
  for (const note of notes) if (note !== undefined && note.trim() !== "") await client.note(id, note);
  if (isQuestion && verb === "approve" && powers.form && ticket.tier !== "critical") return offerForm(call, ticket);
  if (powers.url && face.reviewUrl !== null) return offerLink(call, ticket, face.reviewUrl(id));
  return statusResult(ticket, inWords(verb, ticket, face.reviewUrl?.(id) ?? null));
}

/** What to tell the person. A step-up phrase is never among it: it is shown on their own terminal and nowhere else. */
function inWords(verb: Verb, ticket: Ticket, url: string | null): string {
  const command = ticket.ask.type !== "approval" && verb === "approve" ? "answer" : verb;
  const page = url === null ? "" : `open ${url}, or `;
  return `Agents do not decide. Tell ${ticket.to} to ${page}type this at a terminal of their own: hap ${command} ${shortCode(ticket.id)}`;
}
