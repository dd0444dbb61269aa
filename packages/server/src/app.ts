// From a request to a response: known host, known caller, parsed input, one handler, headers. The same for every route.
import type { ServerResponse } from "node:http";
import type { HapEngine } from "@hap/core";
import { HapError, parseWith } from "@hap/protocol";
import { EmbeddedAgent, EmbeddedPerson } from "@hap/sdk/embedded";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { identify, identifyApp, type Principal } from "./auth/principal.ts";
import type { RateLimit } from "./auth/rate-limit.ts";
import { readJson } from "./body.ts";
import { secureHeaders } from "./headers.ts";
import type { Around } from "./observe/observe-requests.ts";
import { noteCaller } from "./observe/request-notes.ts";
import { nothingHere, otherMethod, problemReply, problemResponse } from "./problem.ts";
import type { Call, Reply, Route } from "./route.ts";
import { anyObject } from "./routes/shapes.ts";
import { send } from "./send.ts";

/** What the pipeline needs to know about its server. */
export type AppContext = {
  engine: HapEngine;
  routes: readonly Route[];
  /** Handlers beside the table: the page, sign-in redirects, health. They get the request as it is. */
  extra: (app: Hono<Env>) => void;
  hosts: () => ReadonlySet<string>;
  origins: () => ReadonlySet<string>;
  tls: boolean;
  /** The desktop app's secret, where this server is its own. */
  appSecret: string | undefined;
  attempts: RateLimit;
  stopping: AbortSignal;
  onError: (error: unknown, request: Request) => void;
  /** Wraps the handling of a request, for logs and traces. */
  around: Around;
};

/** Where the paths of the table begin. */
const API = "/v1/";

/** What the node adapter hands over with a request. */
export type Env = { Bindings: HttpBindings };

/** Answers a request that the node adapter hands over. */
export type Handler = (request: Request, env: HttpBindings | Http2Bindings) => Response | Promise<Response>;

/**
 * Build the handler of every request. The API has a router of its own, in which a path and a method lead to one handler: the
 * framework then calls it at once, where a chain of handlers costs a waiting agent some kilobytes and every request its time.
 */
export function buildApp(context: AppContext): Handler {
  const api = buildApi(context);
  const rest = new Hono<Env>();
  context.extra(rest);
  rest.notFound((c) => problemResponse(nothingHere(c.req.path), () => {}));
  rest.onError((error, c) => problemResponse(error, (unexpected) => context.onError(unexpected, c.req.raw)));
  return (request, env) => {
    const secured = (response: Response) => {
      if (!env.outgoing.headersSent) secureHeaders(response.headers, context.tls);
      return response;
    };
    const app = env.incoming.url?.startsWith(API) ? api : rest;
    const answered = refuseHost(request, context) ?? app.fetch(request, env);
    return answered instanceof Promise ? answered.then(secured) : secured(answered);
  };
}

function buildApi(context: AppContext): Hono<Env> {
  const api = new Hono<Env>();
  for (const entry of context.routes) {
    const method = entry.method.toUpperCase();
    const name = `${method} ${entry.path}`;
    api.on(method, honoPath(entry.path), async (c) => {
      const { incoming, outgoing } = c.env;
      const remote = incoming.socket.remoteAddress ?? null;
      const reply = await context.around(c.req.raw, name, () =>
        serveRoute(context, entry, c.req.raw, c.req.param() as Record<string, string>, remote),
      );
      return send(reply, outgoing as ServerResponse, context.tls);
    });
  }
  const methods = methodsByPath(context.routes);
  api.notFound((c) => {
    const allow = methods(c.req.path);
    const problem = allow === null ? nothingHere(c.req.path) : otherMethod(c.req.method, c.req.path, allow);
    return problemResponse(problem, () => {});
  });
  api.onError((error, c) => problemResponse(error, (unexpected) => context.onError(unexpected, c.req.raw)));
  return api;
}

/** Which methods a path has, as the header Allow lists them; null for a path that is nobody's. */
function methodsByPath(routes: readonly Route[]): (path: string) => string | null {
  const paths = [...Map.groupBy(routes, ({ path }) => path)].map(([path, entries]) => ({
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    allow: entries.map(({ method }) => method.toUpperCase()).join(", "),
  }));
  return (path) => paths.find(({ pattern }) => pattern.test(path))?.allow ?? null;
}

/** A path of the table in the words of the framework. */
function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** A page of another name that was pointed at our address must not get an answer (DNS rebinding). */
function refuseHost(request: Request, { hosts }: AppContext): Response | null {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (hosts().has(host.toLowerCase())) return null;
  const error = new HapError("origin_refused", `This server is not known as ${host.slice(0, 100)}. Start it with --public-url.`, {
    host,
  });
  return problemResponse(error, () => {});
}

async function serveRoute(
  context: AppContext,
  entry: Route,
  request: Request,
  params: Record<string, string>,
  remote: string | null,
): Promise<Reply> {
  try {
    const principal = whoAsks(context, entry, request, remote);
    noteCaller(principal);
    return await entry.handle(await prepare(context, entry, { request, params, remote, principal }));
  } catch (error) {
    // Nobody is there any more to be told.
    if (request.signal.aborted) return new Response(null, { status: 408 });
    const asked = context.stopping.aborted && error === context.stopping.reason;
    return problemReply(asked ? stopped() : error, (unexpected) => context.onError(unexpected, request));
  }
}

function stopped(): HapError {
  return new HapError("server_stopping", "The server is shutting down; ask again in a moment.", { retry_after_seconds: 1 });
}

/** Find out who asks, and refuse whom the route is not for. */
function whoAsks(
  { engine, tls, appSecret, attempts, origins }: AppContext,
  entry: Route,
  request: Request,
  remote: string | null,
) {
  const address = remote ?? "unknown";
  let principal: Principal | null;
  try {
    principal = appSecret === undefined ? identify(engine, request, tls) : identifyApp(engine, request.headers, appSecret);
  } catch (error) {
    attempts.check(address);
    attempts.spend(address);
    throw error;
  }
  if (principal?.kind === "person" && principal.via === "cookie") refuseForeign(request, origins());
  authorise(entry, principal);
  return principal;
}

/** A cookie travels by itself, so a request that changes something must come from our own page (CSRF). */
function refuseForeign(request: Request, origins: ReadonlySet<string>): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const origin = request.headers.get("origin");
  if (origin !== null && origins.has(origin)) return;
  throw new HapError(
    "origin_refused",
    `A request with a sign-in cookie must come from this server's page; Origin is ${String(origin).slice(0, 100)}.`,
    {
      origin,
    },
  );
}

function authorise({ who, scope, id }: Route, principal: Principal | null): void {
  if (who === "anyone") return;
  if (principal === null) {
    throw who === "agent"
      ? new HapError("key_invalid", "This needs an API key as `Authorization: Bearer KEY`: `hap key create --agent agent:NAME`.")
      : new HapError("login_needed", "Sign in first: open the page, or `hap login`.");
  }
  if (principal.kind === "agent") {
    if (who !== "agent" && who !== "either")
      throw new HapError("agent_cannot_decide", `${principal.agent} is an agent; ${id} is for people.`, { by: principal.agent });
    const enough =
      scope === undefined || principal.scopes.includes(scope) || (scope === "read_own" && principal.scopes.includes("read_all"));
    if (!enough)
      throw new HapError("scope_missing", `The key lacks the scope ${scope}; it has ${principal.scopes.join(", ")}.`, { scope });
    return;
  }
  if (who === "agent")
    throw new HapError("scope_missing", `${id} is for agents, which come with an API key; ${principal.person} is a person.`);
  if (who === "owner" && principal.role !== "owner")
    throw new HapError(
      "scope_missing",
      `${principal.person} is no owner here. Owners are named in the policy, or are the person whose machine it is.`,
    );
}

async function prepare(
  { engine, stopping }: AppContext,
  entry: Route,
  got: { request: Request; params: Record<string, string>; remote: string | null; principal: Principal | null },
): Promise<Call> {
  const { request, params, remote, principal } = got;
  const query = entry.query === undefined ? undefined : parseWith(entry.query, readQuery(request), "The query");
  const body = entry.body === undefined ? undefined : await readBody(entry, request);
  // A person who runs `hap create` opens tickets as an agent of their own; on other routes for agents only agents come in.
  const asAgent = principal?.kind === "agent" ? new EmbeddedAgent(engine, principal.agent) : undefined;
  const asPerson = principal?.kind === "person" ? new EmbeddedPerson(engine, principal.person, principal.level) : undefined;
  return {
    request,
    stopping,
    remote,
    params,
    query,
    body,
    engine,
    principal,
    agent: asAgent,
    person: asPerson,
  } as unknown as Call;
}

function readQuery({ url }: Request): Record<string, string> {
  const query: Record<string, string> = {};
  const from = url.indexOf("?");
  if (from === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(from))) {
    if (Object.hasOwn(query, name))
      throw new HapError("invalid_input", `${name.slice(0, 60)} is given twice in the query.`, { field: name });
    query[name] = value;
  }
  return query;
}

async function readBody(entry: Route, request: Request): Promise<unknown> {
  const value = await readJson(request, entry.maxBytes);
  if (entry.bodyParsedBy === "handler") return parseWith(anyObject(), value ?? {}, "The body");
  if (value === undefined && entry.bodyRequired === false) return parseWith(entry.body as never, {}, "The body");
  if (value === undefined) throw new HapError("invalid_input", "This needs a JSON body.", { field: "body" });
  return parseWith(entry.body as never, value, "The body");
}
