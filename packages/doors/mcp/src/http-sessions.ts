// Sessions over HTTP, as before 2026-07-28: a server of its own for each client that said hello, which can ask in mid-call and tell
// of changes on the client's stream. A session is its agent's: to anybody else's key it is not there.
import type { AgentClient } from "@hap/sdk/agent";
import { type Server, WebStandardStreamableHTTPServerTransport as SessionTransport } from "@modelcontextprotocol/server";
import { serveSubscriptions } from "./old-subscriptions.ts";

/** How long a session is kept that nobody uses, and how many an agent may have; the one that rested longest goes first. */
const IDLE_MS = 30 * 60_000;
const MOST_PER_AGENT = 32;

const HEADER = "mcp-session-id";

type McpSession = { agent: string; transport: SessionTransport; lastUsed: number; streams: number; forget: () => void };
type Call = { agentClient: AgentClient; clientFor: (agent: string) => Promise<AgentClient>; access?: AbortSignal };
type Open = (call: Call) => Server;

export class HttpSessions {
  readonly #sessions = new Map<string, McpSession>();
  readonly #open: Open;
  readonly #onError: (error: Error) => void;
  #sweeping: NodeJS.Timeout | null = null;

  constructor(open: Open, onError: (error: Error) => void) {
    this.#open = open;
    this.#onError = onError;
  }

  /** Answer a request that belongs to a session, or begins one. */
  async handle(request: Request, call: Call): Promise<Response> {
    const id = request.headers.get(HEADER);
    if (id === null) return this.#pass(request, await this.#begin(call));
    const session = this.#sessions.get(id);
    if (session === undefined || session.agent !== call.agentClient.agent) return notFound();
    return this.#pass(request, session);
  }

  async #pass(request: Request, session: McpSession): Promise<Response> {
    session.lastUsed = Date.now();
    if (request.method === "GET") {
      session.streams++;
      request.signal.addEventListener("abort", () => {
        session.streams--;
        session.lastUsed = Date.now();
      });
    }
    return session.transport.handleRequest(request);
  }

  /** Known only once the client's hello was accepted. */
  async #begin(call: Call): Promise<McpSession> {
    const { agentClient: client, access } = call;
    const transport = new SessionTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#makeRoom(client.agent);
        this.#sessions.set(id, session);
        const end = () => this.#end(id, session);
        access?.addEventListener("abort", end);
        session.forget = () => access?.removeEventListener("abort", end);
        this.#sweeping ??= setInterval(() => this.#sweep(), IDLE_MS / 2).unref();
      },
      onsessionclosed: (id) => {
        session.forget();
        this.#sessions.delete(id);
      },
    });
    const session: McpSession = { agent: client.agent, transport, lastUsed: Date.now(), streams: 0, forget: () => {} };
    const server = this.#open(call);
    const stopWatching = serveSubscriptions(server, async () => client, this.#onError);
    server.onclose = stopWatching;
    server.onerror = this.#onError;
    await server.connect(transport);
    return session;
  }

  #makeRoom(agent: string): void {
    const own = [...this.#sessions].filter(([, session]) => session.agent === agent);
    if (own.length < MOST_PER_AGENT) return;
    const [oldest] = own.sort(([, one], [, other]) => one.lastUsed - other.lastUsed);
    if (oldest !== undefined) this.#end(...oldest);
  }

  #sweep(): void {
    const since = Date.now() - IDLE_MS;
    for (const [id, session] of this.#sessions) if (session.streams <= 0 && session.lastUsed < since) this.#end(id, session);
    if (this.#sessions.size > 0 || this.#sweeping === null) return;
    clearInterval(this.#sweeping);
    this.#sweeping = null;
  }

  #end(id: string, { transport, forget }: McpSession): void {
    forget();
    this.#sessions.delete(id);
    transport.close().catch(this.#onError);
  }
}

/** What the specification has a client begin anew on. */
function notFound(): Response {
  const error = { code: -32001, message: "There is no such session. Begin a new one with initialize." };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
}
