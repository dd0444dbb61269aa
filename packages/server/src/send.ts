// From a handler's reply to bytes on the line. JSON, which is nearly everything, is written to node's own response at once: a
// Response of the web, its headers and the stream of its body would cost more than most handlers do.
import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { withSecureHeaders } from "./headers.ts";
import type { Reply } from "./route.ts";

/** Send a reply; what is returned tells the node adapter what is left to do. */
export function send(reply: Reply, outgoing: ServerResponse, tls: boolean): Response {
  if (reply instanceof Response) return reply;
  const text = JSON.stringify(reply.body);
  const about = { "content-type": "application/json", ...reply.headers, "content-length": String(Buffer.byteLength(text)) };
  outgoing.writeHead(reply.status ?? 200, withSecureHeaders(about, tls)).end(text);
  return RESPONSE_ALREADY_SENT;
}
