// `/mcp` on a server: one Web-standard handler for both revisions. Who calls is the caller's business: it checks the key,
// Origin and Host, and passes the agent's client; nothing of one agent is shared with another.
import { randomBytes } from "node:crypto";
import type { AgentClient } from "@hap/sdk/agent";
import { createMcpHandler, InMemoryServerEventBus, type ServerEvent, type ServerEventBus } from "@modelcontextprotocol/server";
import type { Face } from "./face.ts";
import { HttpSessions } from "./http-sessions.ts";
import { makeServer } from "./make-server.ts";
import { watchTickets } from "./watch-tickets.ts";

export type McpHttpOptions = {
  /** The page on which a person decides a ticket. */
  reviewUrl?: (ticketId: string) => string;
  /** Shared by every node that may see the next round of a call; without it each process has its own. At least 32 bytes. */
  stateKey?: Uint8Array;
  onError?: (error: Error) => void;
};

/** What a request is served with. The client must stay open until the response's body has ended, and as long as a session. */
export type McpHttpCall = {
  agentClient: AgentClient;
  /** The client of an agent that joined through the same key; it refuses others. */
  clientFor: (agent: string) => Promise<AgentClient>;
  /** A session that the request begins ends when this aborts. */
  access?: AbortSignal;
};

/** A handler for POST /mcp: (Request, {agentClient, clientFor}) => Response. */
export function createMcpHttpHandler(options: McpHttpOptions = {}): (request: Request, call: McpHttpCall) => Promise<Response> {
  const stateKey = options.stateKey ?? randomBytes(32);
  const onerror = options.onError ?? (() => {});
  const face = ({ agentClient, clientFor }: McpHttpCall, subscriptions: boolean): Face => ({
    client: async () => agentClient,
    clientFor,
    filesInline: true,
    project: null,
    reviewUrl: options.reviewUrl ?? null,
    stateKey,
    subscriptions,
  });
  const sessions = new HttpSessions((call) => makeServer(face(call, true)), onerror);
  return async (request, call) => {
    const { agentClient } = call;
    if (request.headers.has("mcp-session-id") || (await beginsSession(request))) return sessions.handle(request, call);
    // Another request of before 2026-07-28 stands alone: there is no stream to tell changes on.
    const handler = createMcpHandler(({ era }) => makeServer(face(call, era === "modern")), {
      bus: watchingBus(async () => agentClient, onerror),
      onerror,
    });
    // The agent's name is what a sealed state is bound to.
    return handler.fetch(request, { authInfo: { token: "", clientId: agentClient.agent, scopes: [] } });
  };
}

/** Longer than any hello. */
const LONGEST_HELLO = 64 * 1024;

/** True for `initialize`, which is how a client of before 2026-07-28 begins. It names its length and no revision in a header. */
async function beginsSession(request: Request): Promise<boolean> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (request.method !== "POST" || request.headers.has("mcp-protocol-version") || !(length <= LONGEST_HELLO)) return false;
  try {
    return ((await request.clone().json()) as { method?: unknown } | null)?.method === "initialize";
  } catch {
    return false;
  }
}

/** A bus that looks for changes while somebody listens. */
function watchingBus(client: () => Promise<AgentClient>, onerror: (error: Error) => void): ServerEventBus {
  const bus = new InMemoryServerEventBus(onerror);
  let stop: (() => void) | null = null;
  return {
    publish: (event: ServerEvent) => bus.publish(event),
    subscribe(listener) {
      const leave = bus.subscribe(listener);
      stop ??= watchTickets(client, (uri) => bus.publish({ kind: "resource_updated", uri }), onerror);
      return () => {
        leave();
        if (bus.listenerCount > 0) return;
        stop?.();
        stop = null;
      };
    },
  };
}
