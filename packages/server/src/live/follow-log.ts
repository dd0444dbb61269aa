// The parts of this server that must hear of every event, whoever wrote it: what counts them, and what has to be woken by them.
import type { HapEngine } from "@hap/core";
import type { HapEvent } from "@hap/protocol";

/** How long after they were woken others are woken again, at the earliest: under load, one look of theirs serves many commits. */
const PAUSE_MS = 50;

/** Hand each event to `count`, once and in order, and wake others after some, until the returned function is called. */
export function followLog(
  engine: HapEngine,
  count: (events: readonly HapEvent[]) => void,
  wakes: readonly (() => void)[],
  onError: (error: unknown) => void,
): () => void {
  let pause: NodeJS.Timeout | null = null;
  let more = false;
  const guarded = (work: () => void) => {
    try {
      work();
    } catch (error) {
      onError(error);
    }
  };
  const wakeAll = () => {
    more = false;
    for (const wake of wakes) guarded(wake);
    pause = setTimeout(() => {
      pause = null;
      if (more) wakeAll();
    }, PAUSE_MS).unref();
  };
  const stop = engine.watchEvents((events) => {
    guarded(() => count(events));
    more = true;
    if (pause === null) wakeAll();
  });
  return () => {
    stop();
    if (pause !== null) clearTimeout(pause);
  };
}
