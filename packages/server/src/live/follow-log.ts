// One reader of the log for the parts of this server that must hear of every event, whoever wrote it.
import { setTimeout as pause } from "node:timers/promises";
import type { HapEngine } from "@hap/core";
import type { LoggedEvent } from "@hap/protocol";

/** How long after some events the next ones are read, at the earliest: under load, one look at the log serves many commits. */
const PAUSE_MS = 50;
/** So many at once, and there are more of them than pauses leave time for. */
const MANY = 250;

/** Hand on each event from now on, once and in order, until the returned function is called. */
export function followLog(
  engine: HapEngine,
  listeners: readonly ((events: readonly LoggedEvent[]) => void)[],
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const after = engine.cursor();
  const follow = async () => {
    for await (const events of engine.follow({ ...(after === null ? {} : { after }), signal: stopping.signal })) {
      for (const listen of listeners) {
        try {
          listen(events);
        } catch (error) {
          onError(error);
        }
      }
      // Cut short when the server stops.
      if (events.length < MANY) await pause(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = follow().catch(onError);
  return async () => {
    stopping.abort();
    await running;
  };
}
