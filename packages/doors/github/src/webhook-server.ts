// The webhook's receiver: checks the signature before it reads a word, opens the ticket before it answers, and follows every
// ticket until its decision was passed on, across restarts.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { HapError, isHapError, parseJson } from "@hap/protocol";
import type { PullAdapter } from "./pull-adapter.ts";
import { readPullEvent } from "./pull-event.ts";
import { isSigned } from "./signature.ts";

const BODY_LIMIT = 25_000_000;
const RETRY_MS = 60_000;

export type WebhookOptions = {
  secret: string;
  host: string;
  port: number;
  signal: AbortSignal;
  listening: (address: string) => void;
  warn: (text: string) => void;
};

/** Serve until the signal aborts. */
export async function serveWebhook(adapter: PullAdapter, options: WebhookOptions): Promise<void> {
  if (options.secret === "")
    throw new HapError("invalid_input", "GITHUB_WEBHOOK_SECRET is empty: without it anybody could open tickets.", {
      field: "GITHUB_WEBHOOK_SECRET",
    });
  const followed = new Set<string>();
  const follow = (id: string) => {
    if (followed.has(id) || options.signal.aborted) return;
    followed.add(id);
    adapter
      .follow(id, { signal: options.signal })
      .catch((error: Error) => {
        if (options.signal.aborted) return;
        options.warn(`${id}: ${error.message}`);
        // GitHub, or the store, was away: the decision is passed on when it is back.
        setTimeout(() => follow(id), RETRY_MS).unref();
      })
      .finally(() => followed.delete(id));
  };
  const server = createServer((request, response) => {
    answer(adapter, options, request)
      .then(({ status, text, ticket }) => {
        if (ticket !== null) follow(ticket);
        reply(response, status, text);
      })
      .catch((error: unknown) => {
        const known = isHapError(error) && error.kind === "invalid";
        if (!known) options.warn(error instanceof Error ? error.message : String(error));
        reply(response, known ? 400 : 500, known ? error.message : "The event was not taken; deliver it again.");
      });
  });
  for (const ticket of await adapter.unfinished()) follow(ticket.id);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      const { address, port } = server.address() as AddressInfo;
      options.listening(`http://${address.includes(":") ? `[${address}]` : address}:${port}`);
    });
    options.signal.addEventListener("abort", () => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  });
}

type WebhookReply = { status: number; text: string; ticket: string | null };

async function answer(adapter: PullAdapter, { secret }: WebhookOptions, request: IncomingMessage): Promise<WebhookReply> {
  const only = (status: number, text: string): WebhookReply => ({ status, text, ticket: null });
  if (request.method !== "POST") return only(405, "Deliver events with POST.");
  const body = await readBody(request);
  if (body === null) return only(413, "The event is too large.");
  if (!isSigned(body, header(request, "x-hub-signature-256"), secret)) return only(401, "The signature is missing or wrong.");
  const kind = header(request, "x-github-event");
  if (kind === "ping") return only(200, "pong");
  if (kind !== "pull_request") return only(202, "Not an event that is asked about.");
  const ticket = await adapter.handle(readPullEvent(parseJson(body.toString("utf8"), "The event")));
  return { status: 202, text: ticket === null ? "Nothing to ask." : ticket.id, ticket: ticket?.id ?? null };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}
