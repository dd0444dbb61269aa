// What this process does and how the store stands, read when somebody asks.
import type { HapEngine } from "@hap/core";
import type { Registry } from "prom-client";

type PromClient = typeof import("prom-client");

/** Requests take from a fraction of a millisecond to the longest wait of one. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Gauges that prom-client names as if they were counters; promtool refuses them, and newer ones say the same. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/** What the gauges are read from. */
export type Gauged = { engine: HapEngine; listeners: () => number };

/** Gauges of the store and counters of requests. */
export function serverMetrics(
  { Counter, Gauge, Histogram, collectDefaultMetrics }: PromClient,
  registry: Registry,
  from: Gauged,
) {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: "hap_tickets_open",
    help: "Tickets that wait for somebody",
    labelNames: ["state", "priority"],
    registers,
    collect() {
      this.reset();
      for (const { state, priority, count } of from.engine.openTickets()) this.set({ state, priority }, count);
    },
  });
  new Gauge({
    name: "hap_lease_remaining_seconds",
    help: "Time left of the open ticket whose lease ends first",
    labelNames: ["priority"],
    registers,
    collect() {
      this.reset();
      for (const [priority, seconds] of shortest(from.engine)) this.set({ priority }, seconds);
    },
  });
  gauge("hap_log_events", "Events in the log", () => from.engine.head().seq);
  gauge("hap_store_read_only", "1 when the log does not verify and nothing is written", () =>
    from.engine.violation() === null ? 0 : 1,
  );
  gauge("hap_live_listeners", "Streams that listen to events", from.listeners);
  gauge(
    "hap_webhook_deliveries_waiting",
    "Deliveries that wait for their first or next try",
    () => from.engine.countDeliveries().waiting,
  );
  gauge("hap_webhook_deliveries_dead", "Deliveries that were given up", () => from.engine.countDeliveries().dead);
  const tries = new Counter({
    name: "hap_webhook_tries_total",
    help: "Tries to deliver to a webhook",
    labelNames: ["result"],
    registers,
  });
  const requests = new Counter({
    name: "hap_http_requests_total",
    help: "Requests of the API",
    labelNames: ["route", "status"],
    registers,
  });
  const duration = new Histogram({
    name: "hap_http_request_duration_seconds",
    help: "Time to answer a request of the API; a long poll counts its wait",
    labelNames: ["route"],
    buckets: REQUEST_BUCKETS,
    registers,
  });

  const verifications = new Counter({
    name: "hap_log_verifications_total",
    help: "Checks of the whole log by this server",
    labelNames: ["result"],
    registers,
  });
  const verification = new Gauge({
    name: "hap_log_verification_seconds",
    help: "Time that the last check of the whole log took",
    registers,
  });

  function gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  return {
    answered: (route: string, status: number, seconds: number): void => {
      requests.inc({ route, status });
      duration.observe({ route }, seconds);
    },
    verified: (ok: boolean, seconds: number): void => {
      verifications.inc({ result: ok ? "ok" : "violation" });
      verification.set(seconds);
    },
    tried: (result: "delivered" | "failed" | "dead"): void => tries.inc({ result }),
  };
}

/** The shortest running lease of each priority. */
function shortest(engine: HapEngine): Map<string, number> {
  const least = new Map<string, number>();
  for (const { priority, remaining_seconds: seconds } of engine.openTickets())
    if (seconds !== null && seconds < (least.get(priority) ?? Number.POSITIVE_INFINITY)) least.set(priority, seconds);
  return least;
}
