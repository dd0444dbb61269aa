// The metrics of one server, in a registry of its own. Whoever follows the log hands over its events.
import type { HapEngine } from "@hap/core";
import type { HapEvent } from "@hap/protocol";
import { type Gauged, serverMetrics } from "./server-metrics.ts";
import { spaceMetrics } from "./space-metrics.ts";
import { ticketMetrics } from "./ticket-metrics.ts";

/** Counts, and tells what was counted. */
export type Metrics = ReturnType<typeof serverMetrics> & {
  count: (engine: HapEngine, events: readonly HapEvent[]) => void;
  /** Everything in the text format of Prometheus. */
  text: () => Promise<string>;
  contentType: string;
};

const PASSKEY_LOGIN = "POST /v1/login/passkey";

/** Start to count. The library is loaded here, so that commands which serve nothing do not pay for it. */
export async function startMetrics(from: Gauged): Promise<Metrics> {
  const client = (await import("prom-client")).default;
  const registry = new client.Registry();
  const tickets = ticketMetrics(client, registry);
  const spaces = spaceMetrics(client, registry);
  const server = serverMetrics(client, registry, from);
  return {
    ...server,
    answered: (route, status, seconds) => {
      server.answered(route, status, seconds);
      if (route === PASSKEY_LOGIN) tickets.signedIn(status < 400);
    },
    count: (engine, events) => {
      for (const event of events) {
        tickets.count(engine, event);
        spaces.count(event);
      }
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
