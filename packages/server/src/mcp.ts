// `/mcp`: the same server for agents that speak MCP over HTTP. Who calls is checked here, as everywhere.
import type { HapEngine } from "@hap/core";
import { HapError } from "@hap/protocol";
import type { AgentClient } from "@hap/sdk/agent";
import { embeddedAgent } from "@hap/sdk/embedded";
import { type AgentPrincipal, actingFor, identify } from "./auth/principal.ts";
import type { RateLimit } from "./auth/rate-limit.ts";
import { problemResponse } from "./problem.ts";

type Call = { agentClient: AgentClient; clientFor: (agent: string) => Promise<AgentClient> };
type Handler = (request: Request, call: Call) => Promise<Response>;

/** What is needed to serve it. */
export type McpFront = {
  engine: HapEngine;
  tls: boolean;
  attempts: RateLimit;
  origins: () => ReadonlySet<string>;
  url: () => string;
  onError: (error: unknown) => void;
};

/** A handler for /mcp; the door is loaded with its first request. */
export function mcpHandler(front: McpFront): (request: Request, remote: string | null) => Promise<Response> {
  let loading: Promise<Handler> | null = null;
  const load = () => {
    loading ??= import("@hap/door-mcp/http").then(({ createMcpHttpHandler }) =>
      createMcpHttpHandler({ reviewUrl: (id) => `${front.url()}/tickets/${id}`, onError: front.onError }),
    );
    return loading;
  };
  return async (request, remote) => {
    try {
      const { agent, owner } = agentOf(front, request, remote);
      const clientFor = async (joined: string) =>
        embeddedAgent(front.engine, actingFor(front.engine, owner, joined, "agent_id"), owner);
      return await (await load())(request, { agentClient: embeddedAgent(front.engine, agent, owner), clientFor });
    } catch (error) {
      return problemResponse(error, front.onError);
    }
  };
}

function agentOf({ engine, tls, attempts, origins }: McpFront, request: Request, remote: string | null): AgentPrincipal {
  const address = remote ?? "unknown";
  attempts.check(address);
  const origin = request.headers.get("origin");
  if (origin !== null && !origins().has(origin))
    throw new HapError("origin_refused", "MCP is served to programs, and to this server's own page.", { origin });
  try {
    const principal = identify(engine, request.headers, tls);
    if (principal?.kind === "agent" && principal.scopes.includes("create")) return principal;
  } catch (error) {
    attempts.spend(address);
    throw error;
  }
  throw new HapError(
    "key_invalid",
    "MCP needs an agent's API key as `Authorization: Bearer KEY`: `hap key create --agent agent:NAME`.",
  );
}
