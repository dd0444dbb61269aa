// The live line to the server: events as they come, and whether the line is up. After a break it goes on where it was.
import type { LoggedEvent } from "@hap/protocol";
import { signal } from "@preact/signals";
import { me, signedOut } from "./session.ts";

/** Whether what is shown is up to date. */
export const line = signal<"connecting" | "live" | "lost">("connecting");
/** Since when the line is down, or null. */
export const lostAt = signal<number | null>(null);

/** The server sends a sign of life every 15 seconds; after this long without one the line is taken for dead. */
const SILENCE_MS = 40_000;

/** The end of the log as it is now: what is fetched after this misses nothing that is followed from here. */
export async function logEnd(): Promise<string | null> {
  return (await me().logHealth()).cursor;
}

/** Hear every event from a place on until the signal aborts. */
export async function listen(
  from: string | null,
  hear: (events: LoggedEvent[]) => void,
  forked: () => void,
  signal: AbortSignal,
): Promise<void> {
  let after = from;
  while (!signal.aborted) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener("abort", stop, { once: true });
    let watch = setTimeout(stop, SILENCE_MS);
    const onState = (state: "live" | "lost") => {
      clearTimeout(watch);
      watch = setTimeout(stop, SILENCE_MS);
      tell(state);
    };
    try {
      const options = { signal: attempt.signal, onState, ...(after === null ? {} : { after }) };
      for await (const events of me().follow(options)) {
        after = events.at(-1)?.cursor ?? after;
        hear(events);
      }
    } catch (error) {
      if (signal.aborted || signedOut(error)) return;
      // A log that was restored or replaced: begin anew from what is there.
      after = null;
      forked();
    } finally {
      clearTimeout(watch);
      signal.removeEventListener("abort", stop);
    }
    if (signal.aborted) return;
    tell("lost");
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** The server could not be reached at all. */
export function lost(): void {
  tell("lost");
}

function tell(state: "live" | "lost"): void {
  if (state === "lost" && line.value !== "lost") lostAt.value = Date.now();
  if (state === "live") lostAt.value = null;
  line.value = state;
}
