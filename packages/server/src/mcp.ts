// `/mcp`: the same server for agents that speak MCP over HTTP. Who calls is checked here, as everywhere; sessions, streams and
// calls that wait end when their key is revoked.
import type { HapEngine } from "@hap/core";
import { HapError } from "@hap/protocol";
import type { AgentClient } from "@hap/sdk/agent";
import { embeddedAgent } from "@hap/sdk/embedded";
import type { OpenCalls } from "./auth/open-calls.ts";
import { type AgentPrincipal, actingFor, identify, type SessionCookie } from "./auth/principal.ts";
import type { RateLimit } from "./auth/rate-limit.ts";
import { problemResponse } from "./problem.ts";

type Call = { agentClient: AgentClient; clientFor: (agent: string) => Promise<AgentClient>; access: AbortSignal };
type Handler = (request: Request, call: Call) => Promise<Response>;

/** What is needed to serve it. */
export type McpFront = {
  engine: HapEngine;
  calls: OpenCalls;
  cookie: SessionCookie;
  attempts: RateLimit;
  origins: () => ReadonlySet<string>;
  url: () => string;
  onError: (error: unknown) => void;
};

/** The tools open tickets and read the agent's own. */
const NEEDED = ["create", "read_own"] as const;

/** A handler for /mcp; the door is loaded with its first request. */
export function mcpHandler(front: McpFront): (request: Request, remote: string | null) => Promise<Response> {
  let loading: Promise<Handler> | null = null;
  const load = () => {
    loading ??= import("@hap/door-mcp/http").then(({ createMcpHttpHandler }) =>
      createMcpHttpHandler({ reviewUrl: (id) => `${front.url()}/tickets/${id}`, onError: front.onError }),
    );
    return loading;
  };
  const accessOf = accessByKey(front.calls);
  return async (request, remote) => {
    try {
      const principal = agentOf(front, request, remote);
      const { agent, owner } = principal;
      const access = accessOf(principal);
      const clientOf = (one: string) => embeddedAgent(front.engine, one, { owner, access });
      const clientFor = async (joined: string) => clientOf(actingFor(front.engine, owner, joined, "agent_id"));
      const handle = await load();
      return await whileValid(access, () => handle(request, { agentClient: clientOf(agent), clientFor, access }));
    } catch (error) {
      return problemResponse(error, front.onError);
    }
  };
}

/** One signal for each key in use, which aborts when the key is revoked or expires. */
function accessByKey(calls: OpenCalls): (principal: AgentPrincipal) => AbortSignal {
  const keys = new Map<string, AbortController>();
  return (principal) => {
    const known = keys.get(principal.keyId);
    if (known !== undefined) return known.signal;
    const made = new AbortController();
    keys.set(principal.keyId, made);
    calls.watch(principal, (why) => {
      keys.delete(principal.keyId);
      made.abort(why);
    });
    return made.signal;
  };
}

/** The response, unless access ends before it is there; its body is cut when access ends later. */
async function whileValid(access: AbortSignal, respond: () => Promise<Response>): Promise<Response> {
  access.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(access.reason);
  access.addEventListener("abort", end, { once: true });
  try {
    const response = await Promise.race([respond(), ended.promise]);
    if (response.body === null) return response;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const piped = response.body.pipeTo(writable, { signal: access, preventAbort: true });
    // A reader that is gone has closed its end already.
    piped.catch(() => writable.close()).catch(() => {});
    return new Response(readable, response);
  } finally {
    access.removeEventListener("abort", end);
  }
}

function agentOf({ engine, cookie, attempts, origins }: McpFront, request: Request, remote: string | null): AgentPrincipal {
  const address = remote ?? "unknown";
  attempts.check(address);
  const origin = request.headers.get("origin");
  if (origin !== null && !origins().has(origin))
    throw new HapError("origin_refused", "MCP is served to programs, and to this server's own page.", { origin });
  try {
    const principal = identify(engine, request.headers, cookie);
    if (principal?.kind === "agent" && NEEDED.every((scope) => principal.scopes.includes(scope))) return principal;
  } catch (error) {
    attempts.spend(address);
    throw error;
  }
  throw new HapError(
    "key_invalid",
    "MCP needs an agent's API key as `Authorization: Bearer KEY`, with the scopes create and read_own: `hap key create --agent agent:NAME`.",
  );
}
