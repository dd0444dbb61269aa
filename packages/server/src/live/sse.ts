// Server-Sent Events: each event's id is its cursor, so that a browser's Last-Event-ID resumes without gap or duplicate.
import type { ServerResponse } from "node:http";
import type { Principal } from "../auth/principal.ts";
import { withSecureHeaders } from "../headers.ts";
import type { LiveEvent, LiveFilter } from "./filter.ts";
import type { Hub } from "./hub.ts";

/** A comment this often keeps proxies and clients from giving up. */
const BEAT_MS = 15_000;
/** A reader that takes nothing for this long is disconnected; it resumes where it was. */
const STALLED_MS = 30_000;

/** Stream events to one listener, from now until it goes or its signal aborts: then it may see nothing more. */
export function streamEvents(
  hub: Hub,
  outgoing: ServerResponse,
  options: { principal: Principal; filter: LiveFilter; after: string | null; signal: AbortSignal },
): void {
  const gone = new AbortController();
  options.signal.addEventListener("abort", () => {
    gone.abort();
    // Events that a slow reader has not taken yet are not for it any more.
    if (outgoing.writableNeedDrain) outgoing.destroy();
  });
  const events = hub.listen({ ...options, signal: gone.signal });
  outgoing.on("close", () => gone.abort());
  outgoing.on("error", () => gone.abort());
  const tls = "encrypted" in (outgoing.socket ?? {});
  outgoing.writeHead(200, withSecureHeaders({ "content-type": "text/event-stream", "x-accel-buffering": "no" }, tls));
  outgoing.flushHeaders();
  const beat = setInterval(() => {
    if (!outgoing.writableNeedDrain) outgoing.write(": still here\n\n");
  }, BEAT_MS);
  pump(hub, outgoing, options.principal, events)
    // The reader went away or stalled: it comes back with the last id that it has.
    .catch(() => outgoing.destroy())
    .finally(() => clearInterval(beat));
}

async function pump(hub: Hub, outgoing: ServerResponse, principal: Principal, events: AsyncIterable<LiveEvent[]>): Promise<void> {
  await write(outgoing, "retry: 1000\n\n");
  for await (const page of events) await write(outgoing, page.map((live) => frame(live, hub.textFor(principal, live))).join(""));
  outgoing.end();
}

function frame({ event }: LiveEvent, text: string): string {
  return `id: ${event.cursor}\nevent: ${event.type}\ndata: ${text}\n\n`;
}

/** Write, and wait until there is room for more, but not for ever. */
async function write(outgoing: ServerResponse, text: string): Promise<void> {
  if (outgoing.destroyed) throw new Error("the reader is gone");
  if (outgoing.write(text)) return;
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => done(() => reject(new Error("the reader stalled"))), STALLED_MS);
    const drained = () => done(resolve);
    const closed = () => done(() => reject(new Error("the reader is gone")));
    const done = (then: () => void) => {
      clearTimeout(late);
      outgoing.off("drain", drained).off("close", closed);
      then();
    };
    outgoing.on("drain", drained).on("close", closed);
  });
}
