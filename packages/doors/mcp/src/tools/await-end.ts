// Waits for a ticket's end for less than a minute, tells the host that it is still waiting, and notes that the words were heard.
import type { Ticket } from "@hap/protocol";
import type { ToolCall } from "./tool.ts";

const PROGRESS_MS = 5000;

/** The ticket after at most `seconds`, ended or not. While somebody waits for an answer its lease is kept alive (D15). */
export async function awaitEnd({ client, ctx }: ToolCall, ticket: Ticket, seconds: number): Promise<Ticket> {
  const started = performance.now();
  const progress = setInterval(() => void tell(), PROGRESS_MS);
  const tell = () => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    const waited = Math.round((performance.now() - started) / 1000);
    const params = {
      progressToken,
      progress: waited,
      total: seconds,
      message: `Waiting for ${ticket.to} to decide ${ticket.id}`,
    };
    return ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  try {
    await tell();
    const renew = ticket.ask.type !== "approval";
    const outcome = await client.wait(ticket.id, { timeoutMs: seconds * 1000, signal: ctx.mcpReq.signal, renew });
    return outcome.status === "open" ? outcome.ticket : await client.heard(ticket.id);
  } finally {
    clearInterval(progress);
  }
}
