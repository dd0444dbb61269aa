// `hap resume`: decisions that came while their agent was away (12.3): words that it has not heard, a yes that it has not used.
import type { Ticket, TicketState } from "@hap/protocol";
import { type AgentClient, type Outcome, readOutcome } from "@hap/sdk/agent";

/** A decision, and the command that picks it up. */
export type Unused = { ticket: Ticket; status: Outcome["status"]; words: string; pick_up: string };

const ended: TicketState[] = ["APPROVED", "REJECTED", "CHANGES_REQUESTED", "ANSWERED", "EXPIRED", "CANCELED"];

/** Newest first. */
export async function findUnused(client: AgentClient): Promise<Unused[]> {
  const found: Unused[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.list({ state: ended, limit: 100, ...(cursor === null ? {} : { cursor }) });
    for (const ticket of page.tickets) {
      const { status, words } = readOutcome(ticket);
      if (isUnused(ticket, status)) found.push({ ticket, status, words, pick_up: pickUp(ticket, status) });
    }
    cursor = page.next;
  } while (cursor !== null);
  return found;
}

/** What an agent withdrew itself is no news to it. */
function isUnused({ consumed, heard_at, resolution, from }: Ticket, status: Outcome["status"]): boolean {
  if (consumed !== null || resolution?.actor.id === from) return false;
  return heard_at === null || status === "approved";
}

function pickUp({ id, intent, artifact }: Ticket, status: Outcome["status"]): string {
  if (status !== "approved") return `hap wait ${id}`;
  if (intent.kind === "run_command") return `hap run ${id}`;
  return artifact.body === "diff" ? `hap apply ${id}` : `hap wait ${id}`;
}
