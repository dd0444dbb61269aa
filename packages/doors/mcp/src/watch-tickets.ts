// Notices that tickets of an agent changed, by looking at the open ones: their places in the log, and which are gone.
import type { AgentClient } from "@hap/sdk/agent";
import { ALL_URI, EVENTS_URI, PENDING_URI, ticketUri } from "./resources.ts";

const LOOK_MS = 1000;
const MOST = 1000;

/** Calls `changed` with each resource that changed, until the returned function is called. */
export function watchTickets(
  client: () => Promise<AgentClient>,
  changed: (uri: string) => void,
  failed: (error: Error) => void,
): () => void {
  let seen: Map<string, string> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = async () => {
    try {
      const now = await openTickets(await client());
      const before = seen;
      seen = now;
      if (stopped || before === null) return;
      const ids = [...new Set([...before.keys(), ...now.keys()])].filter((id) => before.get(id) !== now.get(id));
      if (ids.length === 0) return;
      for (const uri of [PENDING_URI, ALL_URI, EVENTS_URI, ...ids.map(ticketUri)]) changed(uri);
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)));
    } finally {
      // A watcher alone keeps no process alive.
      if (!stopped) timer = setTimeout(() => void look(), LOOK_MS).unref();
    }
  };
  void look();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** The open tickets and the place of each one's last event. */
async function openTickets(client: AgentClient): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let cursor: string | null = null;
  do {
    const page = await client.list({ state: "open", limit: 100, ...(cursor === null ? {} : { cursor }) });
    for (const ticket of page.tickets) found.set(ticket.id, ticket.cursor);
    cursor = page.next;
  } while (cursor !== null && found.size < MOST);
  return found;
}
