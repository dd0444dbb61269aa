// Traces (13.2). The API alone costs next to nothing; the SDK and the exporter are loaded when there is somewhere to send to.
import { type Context, createTraceState, isSpanContextValid, ROOT_CONTEXT, type Tracer, trace } from "@opentelemetry/api";

const TRACER = "hap-runtime";
/** How long the last spans may take to leave when the server stops. */
const FLUSH_MS = 3_000;

/** Makes spans; `stop` sends what is left. */
export type Tracing = { tracer: Tracer; stop: () => Promise<void> };

/** Trace to an OTLP collector over HTTP; without one, to whatever the program around us has set up, if anything. */
export async function startTracing(endpoint: string | undefined, version: string): Promise<Tracing> {
  if (endpoint === undefined) return { tracer: trace.getTracer(TRACER, version), stop: async () => {} };
  const [{ TracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const exporter = new OTLPTraceExporter({ url: tracesUrl(endpoint) });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": process.env.OTEL_SERVICE_NAME ?? "hap",
      "service.version": version,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return {
    tracer: provider.getTracer(TRACER, version),
    // A collector that does not answer must not keep the server from stopping.
    stop: () => Promise.race([provider.shutdown().catch(() => {}), later(FLUSH_MS)]),
  };
}

/** The signal's own path under the endpoint, as OTLP has it. */
function tracesUrl(endpoint: string): string {
  return `${endpoint.replace(/\/+$/, "")}/v1/traces`;
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/** The context that the caller's `traceparent` names (W3C Trace Context); one that is malformed is as good as none. */
export function callerContext(headers: Pick<Headers, "get">): Context {
  const [, traceId, spanId, flags] = traceparent.exec(headers.get("traceparent") ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const state = headers.get("tracestate");
  const spanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(state === null ? {} : { traceState: createTraceState(state) }),
  };
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
}
