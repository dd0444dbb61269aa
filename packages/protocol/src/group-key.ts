// Which tickets may be decided together: routine or notable approvals of one agent, kind, project and effects. Pure, for every face.
import type { Ticket } from "./schema/ticket.ts";

/** The same text for tickets that are alike; null for one that is decided by itself: critical, a question, or for several people. */
export function groupKey(
  ticket: Pick<Ticket, "from" | "intent" | "project" | "effects" | "tier" | "ask" | "artifact" | "quorum">,
): string | null {
  if (ticket.tier === "critical" || ticket.ask.type !== "approval" || ticket.quorum !== undefined) return null;
  const { environment } = ticket.artifact;
  return JSON.stringify([ticket.from, ticket.intent.kind, ticket.project, environment, [...ticket.effects].sort()]);
}

/** What became of one ticket of a group. */
export type GroupResult = { id: string; ticket: Ticket | null; code: string | null; message: string | null };
