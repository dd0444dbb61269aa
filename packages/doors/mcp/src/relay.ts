// Passing a matter to the host's own user: a question as a form, whose answer is relayed at level none (D4), an approval as a
// link. The first answer wins, wherever it was given: a form that comes back too late is told what was decided meanwhile.
import { isHapError, isOpen, type Ticket } from "@hap/protocol";
import { type ElicitResult, type InputRequest, inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { answerForm, answerOf } from "./elicit-answer.ts";
import { taskResult } from "./tasks.ts";
import { statusResult } from "./ticket-words.ts";
import { LONGEST_WAIT_SECONDS } from "./tools/inputs.ts";
import type { ToolCall, ToolResult } from "./tools/tool.ts";

const KEY = "matter";

/** What a user did with a form; nobody has checked what they entered. */
type Entries = { action: string; content?: Record<string, unknown> | undefined };

/** Ask the host to show the question's form, and take what comes back. */
export async function offerForm(call: ToolCall, ticket: Ticket, seconds = LONGEST_WAIT_SECONDS): Promise<ToolResult> {
  if (ticket.ask.type === "approval") return statusResult(ticket);
  const form = answerForm(ticket, ticket.ask);
  if (call.powers.rounds) return nextRound(call, ticket, inputRequired.elicit(form));
  return takeEntries(call, ticket.id, await elicit(call, { ...form }, seconds));
}

/** Ask the host to open the person's own page. */
export async function offerLink(call: ToolCall, ticket: Ticket, url: string): Promise<ToolResult> {
  const message = `${ticket.from} asks ${ticket.to} to decide ${ticket.id}. Open the page to read all of it and decide there.`;
  if (call.powers.rounds) return nextRound(call, ticket, inputRequired.elicitUrl({ message, url }));
  await elicit(call, { mode: "url", message, url, elicitationId: crypto.randomUUID() }, LONGEST_WAIT_SECONDS);
  return afterLink(call, ticket.id);
}

async function nextRound(call: ToolCall, ticket: Ticket, asked: InputRequest): Promise<ToolResult> {
  return inputRequired({ inputRequests: { [KEY]: asked }, requestState: await call.seal({ ticket_id: ticket.id }) });
}

/** Before 2026-07-28 the server asks in mid-call; no call is held for a minute, so neither is this. */
async function elicit(call: ToolCall, params: Record<string, unknown>, seconds: number): Promise<ElicitResult | null> {
  const { signal, send } = call.ctx.mcpReq;
  try {
    return await send({ method: "elicitation/create", params }, { timeout: Math.max(1, seconds * 1000), signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/** What became of a link: whatever the user did with it, only the page decides. */
export async function afterLink({ client }: ToolCall, id: string): Promise<ToolResult> {
  const ticket = await client.getTicket(id);
  if (!isOpen(ticket.state)) return statusResult(await client.heard(id));
  return statusResult(ticket, `The page was offered to the person; ${ticket.to} decides there.`);
}

/** What came back in the next round. */
export function takeAnswer(call: ToolCall, ticketId: string): Promise<ToolResult> {
  const response = inputResponse(call.ctx.mcpReq.inputResponses, KEY);
  return takeEntries(call, ticketId, response.kind === "elicit" ? response : null);
}

/** An answer, or nothing, in which case the question stays open for the inbox. */
async function takeEntries(call: ToolCall, ticketId: string, result: Entries | null): Promise<ToolResult> {
  const { client } = call;
  const ticket = await client.getTicket(ticketId);
  if (!isOpen(ticket.state)) return statusResult(await client.heard(ticketId), "It was answered elsewhere meanwhile.");
  if (result?.action !== "accept" || ticket.ask.type === "approval")
    return call.powers.tasks
      ? taskResult(ticket)
      : statusResult(ticket, "The form was not filled in; the question stays in the inbox.");
  try {
    await client.relayAnswer(ticketId, answerOf(ticket.ask, result.content ?? {}));
  } catch (error) {
    if (!isHapError(error) || error.kind === "busy" || error.kind === "integrity") throw error;
    return statusResult(await client.getTicket(ticketId), `What was entered was not taken: ${error.message}`);
  }
  return statusResult(await client.heard(ticketId));
}
