// A ticket as a model reads it: what became of it, in words, and what to do now. A timer's yes is never told as a person's (D7).
import { shortCode, type Ticket } from "@hap/protocol";
import { type Outcome, readOutcome } from "@hap/sdk/agent";
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";

/** What most tools return, as structured content. */
export const statusSchema = z.object({
  ticket_id: z.string(),
  status: z.enum(["open", "approved", "approved_by_timer", "rejected", "changes_requested", "answered", "expired", "canceled"]),
  state: z.string(),
  to: z.string(),
  words: z.string().describe("What happened, in words; a person's own words are in them verbatim."),
  next: z.string().describe("What to do now."),
  tier: z.string(),
  risk: z.number(),
  remaining_seconds: z.number(),
  comment: z.string().nullable(),
  line_comments: z
    .array(z.object({ file: z.string(), line: z.number(), text: z.string(), side: z.literal("old").optional() }))
    .optional()
    .describe("What the person said about single lines of the diff; side old: a line that the diff removes."),
  answer: z.unknown().optional(),
  relayed: z.boolean().optional().describe("The answer came through this client; nothing proves that a person gave it."),
  edits: z.record(z.string(), z.unknown()).nullish().describe("What the person changed before approving; do that instead."),
});

const next: Record<Outcome["status"], string> = {
  open: "Nobody has decided. Do not act on it. Call hap_wait with this ticket_id, or do something else and come back.",
  approved: "Do exactly what was asked, once.",
  approved_by_timer: "No person said yes. Do not act on it; ask again if it still matters.",
  rejected: "Do not do it, and do not look for a way around it. Follow the person's words.",
  changes_requested: "Change it as the person says, then open a new ticket.",
  answered: "Go on with the answer.",
  expired: "Do not act on it. Ask again if it still matters.",
  canceled: "Do not act on it.",
};

/** The structured form of a ticket's status. */
export function describeStatus(ticket: Ticket): z.infer<typeof statusSchema> {
  const outcome = readOutcome(ticket);
  return {
    ticket_id: ticket.id,
    status: outcome.status,
    state: ticket.state,
    to: ticket.to,
    words: outcome.words,
    next: nextStep(outcome),
    tier: ticket.tier,
    risk: ticket.risk,
    remaining_seconds: ticket.lease.remaining_seconds,
    comment: outcome.comment,
    ...(outcome.lineComments.length > 0 ? { line_comments: [...outcome.lineComments] } : {}),
    ...(outcome.status === "answered" ? { answer: outcome.answer, relayed: outcome.relayed } : {}),
    ...(outcome.status === "approved" ? { edits: outcome.edits } : {}),
  };
}

function nextStep(outcome: Outcome): string {
  const edited = outcome.status === "approved" && outcome.edits !== null;
  return edited
    ? `Do what was approved with these changes, once, and nothing of what they replace: ${JSON.stringify(outcome.edits)}`
    : next[outcome.status];
}

/** A tool's result that tells a ticket's status, after words of its own if there are any. */
export function statusResult(ticket: Ticket, before = ""): CallToolResult {
  const status = describeStatus(ticket);
  const text = [before, `${ticket.id} (${shortCode(ticket.id)}): ${status.words}`, status.next].filter((line) => line !== "");
  return {
    content: [{ type: "text", text: text.join("\n") }],
    structuredContent: { ...status, words: joined(before, status.words) },
  };
}

function joined(before: string, words: string): string {
  return before === "" ? words : `${before} ${words}`;
}
