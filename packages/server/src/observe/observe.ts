// Everything by which an operator sees this server: metrics, traces, logs. One thing to start and one to stop.
import type { HapEngine } from "@hap/core";
import type { Hono } from "hono";
import type { Env } from "../app.ts";
import type { RateLimit } from "../auth/rate-limit.ts";
import type { ServeOptions } from "../options.ts";
import { problemResponse } from "../problem.ts";
import { type Log, openLog } from "./log.ts";
import { type Metrics, startMetrics } from "./metrics.ts";
import { refuseMetricsReader } from "./metrics-door.ts";
import { observeRequests } from "./observe-requests.ts";
import { startTracing } from "./trace.ts";

/** What is observed. */
type Observed = {
  engine: HapEngine;
  listeners: () => number;
  options: ServeOptions;
  version: string;
};

/** The observers of one server. */
export type Observing = {
  log: Log;
  metrics: Metrics;
  around: ReturnType<typeof observeRequests>;
  onError: (error: unknown) => void;
  /** Send what is left. */
  stop: () => Promise<void>;
};

/** Start metrics, logs, and traces where there is a collector. */
export async function startObserving({ engine, listeners, options, version }: Observed): Promise<Observing> {
  const log = openLog(options.logLevel ?? "error", options.logLine ?? toStandardError, options.world?.now);
  const { tracer, stop } = await startTracing(options.otlp, version);
  const metrics = await startMetrics({ engine, listeners });
  return {
    log,
    metrics,
    around: observeRequests({ tracer, log, metrics }),
    onError: (error) => log.unexpected("A request failed in a way that was not expected", error),
    stop,
  };
}

/** Serve `/metrics`. */
export function addMetricsPage(app: Hono<Env>, metrics: Metrics, token: string | undefined, attempts: RateLimit): void {
  app.get("/metrics", async (c) => {
    try {
      refuseMetricsReader(c.req.raw, c.env?.incoming?.socket.remoteAddress ?? null, token, attempts);
    } catch (error) {
      return problemResponse(error, () => {});
    }
    return new Response(await metrics.text(), { headers: { "content-type": metrics.contentType, "cache-control": "no-store" } });
  });
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}
