// From an operation's output to bytes on the connection.
import type { ServerResponse } from "node:http";
import type { Ticket } from "@hap/protocol";
import { type Operation, ticket as ticketOutput } from "@hap/protocol/operations";
import { withSecureHeaders } from "../headers.ts";
import type { ApiRequest } from "./request.ts";

/** JSON, bytes, or nothing, with a status and headers. `sent` means that the handler wrote the response itself. */
export type Reply = {
  status: number;
  json?: unknown;
  bytes?: Uint8Array;
  headers?: Record<string, string>;
  sent?: true;
};

/** A reply that a handler of the server makes itself, with headers of its own or written already. */
export class OwnReply implements Reply {
  readonly status: number;
  readonly json?: unknown;
  readonly headers: Record<string, string>;
  readonly sent?: true;

  constructor(status: number, json: unknown, headers: Record<string, string> = {}, sent?: true) {
    this.status = status;
    this.json = json;
    this.headers = headers;
    if (sent === true) this.sent = sent;
  }
}

/** A success of an operation as its row of the table describes it. */
export function replyTo(operation: Operation, call: ApiRequest, answer: unknown): Reply {
  const { status = 200, output, media } = operation;
  if (media !== undefined)
    return {
      status,
      bytes: answer as Uint8Array,
      headers: { "content-type": media, "content-disposition": "attachment" },
    };
  if (output !== ticketOutput) return output === undefined ? { status } : { status, json: answer };
  const ticket = answer as Ticket;
  noteTicket(call, ticket);
  const etag = etagOf(ticket);
  if (isUnchanged(operation, call, etag)) return { status: 304, headers: { etag } };
  return {
    status,
    json: ticket,
    headers: status === 201 ? { etag, location: `${call.base}/v1/tickets/${ticket.id}` } : { etag },
  };
}

/** The lease's countdown runs while nothing happens, so the tag names the last event and not the bytes. */
function etagOf({ cursor }: Ticket): string {
  return `W/"${cursor}"`;
}

/** A reader that has this state already; one that waits for the end is always answered. */
function isUnchanged({ method }: Operation, { headers, incoming }: ApiRequest, etag: string): boolean {
  return method === "GET" && headers.get("if-none-match") === etag && !/[?&]wait=[1-9]/.test(incoming.url ?? "");
}

function noteTicket({ notes }: ApiRequest, { id, from, to, risk, priority, state }: Ticket): void {
  notes.ticket = { id, from, to, risk, priority, state };
}

/** Write a reply. */
export function send(reply: Reply, outgoing: ServerResponse, tls: boolean): void {
  if (reply.sent === true || outgoing.destroyed) return;
  const { status, json, bytes, headers = {} } = reply;
  if (json === undefined && bytes === undefined) {
    outgoing.writeHead(status, withSecureHeaders(headers, tls)).end();
    return;
  }
  const body = bytes ?? JSON.stringify(json);
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  const about = { "content-type": "application/json", ...headers, "content-length": String(length) };
  outgoing.writeHead(status, withSecureHeaders(about, tls));
  // ASCII alone is the same bytes in latin1, which node writes several times as fast, together with the headers.
  if (typeof body === "string" && length === body.length) outgoing.end(body, "latin1");
  else outgoing.end(body);
}
