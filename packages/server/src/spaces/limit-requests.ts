// The pace of one space on this server: one team's burst leaves room for the others. Each server counts its own requests.
import type { HapEngine } from "@hap/core";
import { HapError } from "@hap/protocol";
import type { Listener } from "../api/api.ts";
import { send } from "../api/reply.ts";
import { problemReply } from "../problem.ts";

/** How long a look at the limit counts. */
const FRESH_MS = 1_000;

/** Let requests pass as the space's limit says, and answer the others with 429. */
export function limitRequests(engine: HapEngine, listener: Listener, options: { tls: boolean; now: () => number }): Listener {
  let looked = Number.NEGATIVE_INFINITY;
  let most: number | undefined;
  let left = Number.POSITIVE_INFINITY;
  let at = 0;
  return (incoming, outgoing) => {
    const now = options.now();
    if (now - looked > FRESH_MS) {
      looked = now;
      most = engine.spaceLimits().requests_per_minute;
    }
    if (most === undefined) return listener(incoming, outgoing);
    left = Math.min(most, left + ((now - at) * most) / 60_000);
    at = now;
    if (left >= 1) {
      left--;
      return listener(incoming, outgoing);
    }
    const seconds = Math.max(1, Math.ceil(((1 - left) * 60) / most));
    const error = new HapError("rate_limited", `This space takes ${most} requests a minute here. Try again in ${seconds} s.`, {
      limit: most,
      retry_after_seconds: seconds,
    });
    send(
      problemReply(error, () => {}),
      outgoing,
      options.tls,
    );
  };
}
