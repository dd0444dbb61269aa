// Server-Sent Events: each event's id is its cursor, so that a browser's Last-Event-ID resumes without gap or duplicate.
import type { Principal } from "../auth/principal.ts";
import type { LiveEvent, LiveFilter } from "./filter.ts";
import type { Hub } from "./hub.ts";

/** A comment this often keeps proxies and clients from giving up. */
const BEAT_MS = 15_000;
/** A reader that takes nothing for this long is let go; it resumes where it was. */
const STALLED_MS = 30_000;

/** The stream of events for one listener. */
export function eventStream(
  hub: Hub,
  options: { principal: Principal; filter: LiveFilter; after: string | null; signal: AbortSignal; stalledMs?: number },
): Response {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const events = hub.listen({ ...options, signal });
  const bytes = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    { highWaterMark: 1 },
    { highWaterMark: 4 },
  );
  const writer = writable.getWriter();
  const beat = setInterval(() => {
    if ((writer.desiredSize ?? 0) > 0) writer.write(bytes.encode(": still here\n\n")).catch(() => stop.abort());
  }, BEAT_MS);
  const write = (text: string) => inTime(writer.write(bytes.encode(text)), options.stalledMs ?? STALLED_MS);
  const pump = async () => {
    try {
      await write("retry: 1000\n\n");
      for await (const page of events)
        await write(page.map((live) => frame(live, hub.textFor(options.principal, live))).join(""));
      await writer.close();
    } catch {
      // The reader went away or stalled: it comes back with the last id that it has.
      await writer.abort().catch(() => {});
    } finally {
      clearInterval(beat);
      stop.abort();
    }
  };
  writer.closed.catch(() => stop.abort());
  void pump();
  return new Response(readable, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}

function frame({ event }: LiveEvent, text: string): string {
  return `id: ${event.cursor}\nevent: ${event.type}\ndata: ${text}\n\n`;
}

/** Wait, but not for ever. */
async function inTime(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the reader stalled")), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
