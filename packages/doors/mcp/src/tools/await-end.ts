// Waits for a ticket's end for less than a minute, tells the host that it is still waiting, and notes that the words were heard.
import type { Ticket } from "@hap/protocol";
import { withProgress } from "./progress.ts";
import type { ToolCall } from "./tool.ts";

/** The ticket after at most `seconds`, ended or not. While somebody waits for an answer its lease is kept alive (D15). */
export function awaitEnd({ client, ctx }: ToolCall, ticket: Ticket, seconds: number): Promise<Ticket> {
  return withProgress(ctx, seconds, `Waiting for ${ticket.to} to decide ${ticket.id}`, async () => {
    const renew = ticket.ask.type !== "approval";
    const outcome = await client.wait(ticket.id, { timeoutMs: seconds * 1000, signal: ctx.mcpReq.signal, renew });
    return outcome.status === "open" ? outcome.ticket : await client.heard(ticket.id);
  });
}
