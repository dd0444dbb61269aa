// One reader of the log for the parts of this server that must hear of every event, whoever wrote it.
import type { HapEngine } from "@hap/core";
import type { LoggedEvent } from "@hap/protocol";

/** Hand on each event from now on, once and in order, until the returned function is called. */
export function followLog(
  engine: HapEngine,
  listeners: readonly ((events: readonly LoggedEvent[]) => void)[],
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const after = engine.cursor();
  const follow = async () => {
    for await (const events of engine.follow({ ...(after === null ? {} : { after }), signal: stopping.signal }))
      for (const listen of listeners) {
        try {
          listen(events);
        } catch (error) {
          onError(error);
        }
      }
  };
  const running = follow().catch(onError);
  return async () => {
    stopping.abort();
    await running;
  };
}
