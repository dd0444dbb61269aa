// From a request under /v1 to its response: known caller, parsed input, one handler, one reply. The same for every operation.
import type { IncomingMessage, ServerResponse } from "node:http";
import { HapError } from "@hap/protocol";
import type { Operation } from "@hap/protocol/operations";
import type { OpenCalls } from "../auth/open-calls.ts";
import type { Principal } from "../auth/principal.ts";
import type { Around, RequestNotes } from "../observe/observe-requests.ts";
import { nothingHere, otherMethod, problemReply } from "../problem.ts";
import { type Gatekeeper, whoAsks } from "./authorise.ts";
import { type Entry, entriesOf, type ServerHandlers } from "./entries.ts";
import { OwnReply, type Reply, replyTo, send } from "./reply.ts";
import { ApiRequest, headersOf } from "./request.ts";
import { type Match, Router } from "./router.ts";

/** What the API needs to know about its server. */
export type ApiContext = Gatekeeper & {
  handlers: ServerHandlers;
  calls: OpenCalls;
  /** The path under which the space is served: empty, or `/s/NAME`. */
  base: string;
  stopping: AbortSignal;
  onError: (error: unknown) => void;
  /** Wraps the handling of a request, for logs and traces. */
  around: Around;
};

/** Answers one request. */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** The listener of everything under `/v1/`. It works on node's own objects: those of the web cost more than most handlers. */
export function apiListener(context: ApiContext): Listener {
  const router = new Router(entriesOf(context.handlers));
  const { tls, around, onError } = context;
  return (incoming, outgoing) => {
    const url = incoming.url ?? "";
    const query = url.indexOf("?");
    const path = query === -1 ? url : url.slice(0, query);
    const found = router.find(incoming.method ?? "", path);
    if (found === null || "allow" in found) {
      const problem = found === null ? nothingHere(path) : otherMethod(incoming.method ?? "", path, found.allow);
      send(problemReply(problem, onError), outgoing, tls);
      return;
    }
    const headers = headersOf(incoming);
    around(headers, found.entry.operation, (notes) => answer(context, found, incoming, outgoing, headers, notes)).then(
      (reply) => send(reply, outgoing, tls),
      (error: unknown) => {
        onError(error);
        outgoing.destroy();
      },
    );
  };
}

async function answer(
  context: ApiContext,
  { entry, params }: Match<Entry>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers: ReturnType<typeof headersOf>,
  notes: RequestNotes,
): Promise<Reply> {
  const { engine, calls, base, stopping, onError } = context;
  const { operation } = entry;
  try {
    let principal = whoAsks(context, operation, incoming, headers);
    const { revocations } = calls;
    if (principal !== null) notes.by = nameOf(principal);
    const input = await entry.read(incoming, headers, params);
    // A body can take minutes to arrive; what was revoked meanwhile does not count.
    if (calls.revocations !== revocations) principal = whoAsks(context, operation, incoming, headers);
    const call = new ApiRequest(incoming, outgoing, { headers, principal, engine, notes, calls, base });
    // Whoever starts to wait now would keep a stopping server from ending.
    if (isWait(operation, input)) stopping.throwIfAborted();
    const result = await entry.handle(call, input);
    return result instanceof OwnReply ? result : replyTo(operation, call, result);
  } catch (error) {
    // The caller is gone: there is nobody to answer.
    if (outgoing.destroyed) return { status: 408, sent: true };
    const stopped = stopping.aborted && error === stopping.reason;
    return problemReply(stopped ? serverStopping() : error, onError);
  }
}

function nameOf(principal: Principal): string {
  return principal.kind === "agent" ? principal.agent : principal.person;
}

function isWait({ id }: Operation, input: object): boolean {
  return id === "getTicket" && Number((input as { wait?: number }).wait ?? 0) > 0;
}

function serverStopping(): HapError {
  return new HapError("server_stopping", "The server is shutting down; ask again in a moment.", { retry_after_seconds: 1 });
}
