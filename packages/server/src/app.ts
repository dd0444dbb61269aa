// From a request to the part that answers it: the API on node's own objects, everything else through the framework.
import type { IncomingMessage, ServerResponse } from "node:http";
import { HapError } from "@hap/protocol";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { type ApiContext, apiListener, type Listener } from "./api/api.ts";
import { send } from "./api/reply.ts";
import { secureHeaders } from "./headers.ts";
import { nothingHere, problemReply, problemResponse } from "./problem.ts";

/** What the server's requests need. */
export type AppContext = ApiContext & {
  /** Handlers beside the API: the page, sign-in redirects, health. */
  extra: (app: Hono<Env>) => void;
  hosts: () => ReadonlySet<string>;
};

/** Where the paths of the table of operations begin. */
const API = "/v1/";

/** What the node adapter hands over with a request. */
export type Env = { Bindings: HttpBindings };

/** Build the listener of every request. */
export function buildApp(context: AppContext): Listener {
  const api = apiListener(context);
  const rest = new Hono<Env>();
  context.extra(rest);
  rest.notFound((c) => problemResponse(nothingHere(c.req.path), () => {}));
  rest.onError((error) => problemResponse(error, context.onError));
  const listenToRest = getRequestListener(
    async (request, env) => {
      const response = await rest.fetch(request, env);
      secureHeaders(response.headers, context.tls);
      return response;
    },
    { overrideGlobalObjects: false },
  );
  return (incoming, outgoing) => {
    if (refuseHost(incoming, outgoing, context)) return;
    if (incoming.url?.startsWith(API)) api(incoming, outgoing);
    else void listenToRest(incoming, outgoing);
  };
}

/** A page of another name that was pointed at our address must not get an answer (DNS rebinding). */
function refuseHost(incoming: IncomingMessage, outgoing: ServerResponse, { hosts, tls, onError }: AppContext): boolean {
  const { host = "" } = incoming.headers;
  if (hosts().has(host.toLowerCase())) return false;
  const error = new HapError("origin_refused", `This server is not known as ${host.slice(0, 100)}. Start it with --public-url.`, {
    host,
  });
  send(problemReply(error, onError), outgoing, tls);
  return true;
}
