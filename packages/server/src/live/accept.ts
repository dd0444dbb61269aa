// The upgrade to a WebSocket: the same checks, log line, trace and problem details as any request, then the words of socket.ts.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { HapEngine } from "@hap/core";
import { HapError } from "@hap/protocol";
import { WebSocketServer } from "ws";
import { type Headers, headersOf } from "../api/request.ts";
import type { OpenCalls } from "../auth/open-calls.ts";
import { identify, type Principal, type SessionCookie } from "../auth/principal.ts";
import type { RateLimit } from "../auth/rate-limit.ts";
import { clientAddress } from "../client-address.ts";
import type { Around } from "../observe/observe-requests.ts";
import { problemResponse } from "../problem.ts";
import type { Hub } from "./hub.ts";
import { serveSocket } from "./socket.ts";

type Front = {
  engine: HapEngine;
  hub: Hub;
  calls: OpenCalls;
  cookie: SessionCookie;
  place: { hosts: ReadonlySet<string>; origins: ReadonlySet<string> };
  attempts: RateLimit;
  around: Around;
  onError: (error: unknown) => void;
};

const PATH = "/v1/events/socket";
const LARGEST_WORD = 64 * 1024;
const SWITCHED = 101;
/** What is no handshake is told so by the library. */
const MALFORMED = 400;

/** Answers a request to upgrade. */
export type Upgrade = (incoming: IncomingMessage, stream: Duplex, head: Buffer) => void;

/** Let WebSockets in; `close` lets none in any more. */
export function acceptSockets(front: Front): { upgrade: Upgrade; close: () => void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_WORD });
  const upgrade: Upgrade = (incoming, stream, head) => {
    // Whoever is gone before they were answered has no use for the answer.
    stream.on("error", () => stream.destroy());
    const headers = headersOf(incoming);
    front
      .around(headers, { method: "GET", path: PATH }, async (notes) => {
        try {
          const principal = whoConnects(incoming, headers, front);
          notes.by = principal.kind === "agent" ? principal.agent : principal.person;
          let status = MALFORMED;
          sockets.handleUpgrade(incoming, stream, head, (socket) => {
            status = SWITCHED;
            serveSocket(front.hub, front.calls, socket, principal);
          });
          return { status };
        } catch (error) {
          const problem = problemResponse(error, front.onError);
          await refuse(stream, problem);
          return problem;
        }
      })
      .catch(front.onError);
  };
  return { upgrade, close: () => sockets.close() };
}

function whoConnects(incoming: IncomingMessage, headers: Headers, { engine, cookie, place, attempts }: Front): Principal {
  const host = incoming.headers.host ?? "";
  if (!place.hosts.has(host.toLowerCase())) throw new HapError("origin_refused", "This server is not known by that name.");
  if (incoming.url?.split("?")[0] !== PATH) throw new HapError("route_not_found", `WebSockets are at ${PATH}.`);
  const address = clientAddress(incoming);
  attempts.check(address);
  try {
    return admit(identify(engine, headers, cookie), incoming.headers.origin, place);
  } catch (error) {
    attempts.spend(address);
    throw error;
  }
}

function admit(principal: Principal | null, origin: string | undefined, { origins }: Front["place"]): Principal {
  if (principal === null) throw new HapError("login_needed", "Sign in first, or come with an API key.");
  if (principal.kind === "person" && principal.via === "cookie" && (origin === undefined || !origins.has(origin)))
    throw new HapError("origin_refused", "A WebSocket with a sign-in cookie must come from this server's page.");
  return principal;
}

/** Refuse an upgrade. The answer is written by hand: nothing of the HTTP server is left on this connection. */
export async function refuse(stream: Duplex, problem: Response): Promise<void> {
  const body = await problem.text();
  const headers = [...problem.headers, ["content-length", String(Buffer.byteLength(body))], ["connection", "close"]];
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join("\r\n");
  stream.end(`HTTP/1.1 ${problem.status} Refused\r\n${lines}\r\n\r\n${body}`);
}
