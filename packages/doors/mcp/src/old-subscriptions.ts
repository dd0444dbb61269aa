// resources/subscribe, as before 2026-07-28: one connection remembers what it wants to hear of.
import type { AgentClient } from "@hap/sdk/agent";
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { isResource } from "./resources.ts";
import { watchTickets } from "./watch-tickets.ts";

/** Serve it; changes are looked for once somebody asked to hear of them, until the returned function is called. */
export function serveSubscriptions(server: Server, client: () => Promise<AgentClient>, warn: (error: Error) => void): () => void {
  const watched = new Set<string>();
  let stop: (() => void) | null = null;
  const tell = (uri: string) => {
    if (watched.has(uri)) server.sendResourceUpdated({ uri }).catch(warn);
  };
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    if (!isResource(params.uri)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${params.uri}.`);
    watched.add(params.uri);
    stop ??= watchTickets(client, tell, warn);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    watched.delete(params.uri);
    return {};
  });
  return () => stop?.();
}
