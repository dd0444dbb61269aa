// A real server on a store of its own, people who are signed in, agents with keys, and plain requests.
import { testStore, testWorld } from "../../core/test/test-world.ts";
import { type RunningServer, type ServeOptions, serve } from "../src/index.ts";

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> & { code?: string } };
export type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Start a server; `close` removes everything. */
export async function openFront(options: ServeOptions & { real?: boolean } = {}) {
  const { real, ...rest } = options;
  const store = testStore();
  const world = testWorld();
  const place = { dbPath: store.path, home: store.folder, port: 0, humanId: "human:alex", ...(real === true ? {} : { world }) };
  const server: RunningServer = await serve({ ...place, ...rest });
  const caller =
    (headers: Record<string, string>): Caller =>
    async (method, path, body, more = {}) => {
      const response = await fetch(server.url + path, {
        method,
        redirect: "manual",
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers, ...more },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === "" ? {} : parse(text) };
    };
  return {
    ...store,
    world,
    server,
    engine: server.engine,
    url: server.url,
    anyone: caller({}),
    as: caller,
    /** Somebody who signed in at a terminal. */
    person: (name = "human:alex") => caller({ authorization: `Bearer ${server.engine.signIn(name, "token", "code").secret}` }),
    agent: (name = "agent:ci", scopes?: string[]) =>
      caller({ authorization: `Bearer ${server.engine.createKey({ agent: name, scopes }, "human:alex").key}` }),
    close: async () => {
      await server.close();
      store.remove();
    },
  };
}

export type Front = Awaited<ReturnType<typeof openFront>>;

function parse(text: string): Answer["body"] {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

/** Open a ticket and return its id. */
export async function open(agent: Caller, more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await agent("POST", "/v1/tickets", { to: "human:alex", summary: "please", ...more });
  if (status !== 201) throw new Error(`no ticket: ${JSON.stringify(body)}`);
  return body.id as string;
}
