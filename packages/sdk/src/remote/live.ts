// Events over Server-Sent Events: after a break it goes on after the last one that arrived, with no gap and no duplicate.
import type { LoggedEvent } from "@hap/protocol";
import { Backoff, mayRetry, type Transport } from "./transport.ts";

/** Follow the log until the signal aborts. A page is what arrived together. */
export async function* followEvents(
  transport: Transport,
  options: {
    after?: string | undefined;
    signal?: AbortSignal | undefined;
    onState?: ((state: "live" | "lost") => void) | undefined;
  },
): AsyncGenerator<LoggedEvent[]> {
  const { signal, onState } = options;
  const backoff = new Backoff();
  let after = options.after;
  while (!signal?.aborted) {
    try {
      const path = `/v1/events/stream?after=${encodeURIComponent(after ?? "")}`;
      for await (const events of readFrames(transport.stream({ method: "GET", path, signal }))) {
        onState?.("live");
        backoff.reset();
        if (events.length === 0) continue;
        after = events.at(-1)?.cursor ?? after;
        yield events;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!mayRetry(error)) throw error;
    }
    if (signal?.aborted) return;
    onState?.("lost");
    await backoff.pause(signal).catch(() => {});
  }
}

/** Frames of a stream, those that came in one piece together; an empty page says that the line is alive. */
async function* readFrames(chunks: AsyncIterable<string>): AsyncGenerator<LoggedEvent[]> {
  let buffer = "";
  for await (const chunk of chunks) {
    buffer += chunk;
    const frames = buffer.split("\n\n");
    buffer = frames.pop() ?? "";
    yield frames.flatMap((frame) => {
      const data = frame
        .split("\n")
        .filter((line) => line.startsWith("data: "))
        .map((line) => line.slice("data: ".length))
        .join("\n");
      return data === "" ? [] : [JSON.parse(data) as LoggedEvent];
    });
  }
}
