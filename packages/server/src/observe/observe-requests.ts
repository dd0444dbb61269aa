// Around every request of the API: one span and a span for what it does to a ticket, one line in the log, one count.
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Log, LogLevel } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { type Operation, operationOf } from "./operations.ts";
import { type RequestNotes, withNotes } from "./request-notes.ts";
import { callerContext } from "./trace.ts";

/** Wraps the handling of anything that comes in by HTTP and ends with a status; without one, it went well. */
export type Around = <T extends { status?: number }>(
  request: Pick<Request, "headers">,
  route: string,
  work: () => Promise<T>,
) => Promise<T>;

/** What a request is told to. */
export type Observers = { tracer: Tracer; log: Log; metrics: Pick<Metrics, "answered"> };

/** The wrapper that the pipeline puts around each request. */
export function observeRequests({ tracer, log, metrics }: Observers): Around {
  return async (request, route, work) => {
    const started = performance.now();
    const operation = operationOf(route);
    const notes: RequestNotes = {};
    const [method, path] = route.split(" ") as [string, string];
    const attributes = { "http.request.method": method, "http.route": path };
    const span = tracer.startSpan(route, { kind: SpanKind.SERVER, attributes }, callerContext(request.headers));
    const inside = trace.setSpan(ROOT_CONTEXT, span);
    const inner = operation === null ? null : startOperation(tracer, operation, inside);
    const answer = await withNotes(notes, work);
    const { status = 200 } = answer;
    const seconds = (performance.now() - started) / 1000;
    // Without a collector nothing is recorded, and nothing has to be collected for it.
    if (inner?.isRecording()) endSpan(inner, status, ticketAttributes(notes));
    if (span.isRecording()) endSpan(span, status, { "http.response.status_code": status });
    metrics.answered(route, status, seconds);
    const level = levelOf(status);
    if (!log.takes(level)) return answer;
    log.write(level, messageOf(operation, status), {
      method,
      route: path,
      status,
      duration_ms: Math.round(seconds * 1e6) / 1000,
      by: notes.by,
      ...ticketFields(notes),
      ...traceIds(inner ?? span),
    });
    return answer;
  };
}

function startOperation(tracer: Tracer, { span }: Operation, parent: Context): Span {
  return tracer.startSpan(span, {}, parent);
}

function endSpan(span: Span, status: number, attributes: Record<string, string | number>): void {
  span.setAttributes(attributes);
  // What the caller did wrong is no error of the server (semantic conventions), and no success either.
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  else if (status < 400) span.setStatus({ code: SpanStatusCode.OK });
  span.end();
}

function ticketAttributes({ ticket }: RequestNotes): Record<string, string | number> {
  if (ticket === undefined) return {};
  return {
    "ticket.id": ticket.id,
    "ticket.to": ticket.to,
    "ticket.priority": ticket.priority,
    "ticket.risk": ticket.risk,
    "ticket.state": ticket.state,
  };
}

function ticketFields({ ticket }: RequestNotes): Record<string, unknown> {
  if (ticket === undefined) return {};
  const { id, from, to, risk, priority, state } = ticket;
  return { ticket_id: id, from, to, risk, priority, state };
}

/** Without an SDK the caller's own ids, if it sent any. */
function traceIds(span: Span): Record<string, string> {
  const context = span.spanContext();
  return isSpanContextValid(context) ? { trace_id: context.traceId, span_id: context.spanId } : {};
}

function messageOf(operation: Operation | null, status: number): string {
  if (status === 503) return "Request put off";
  if (status >= 500) return "Request failed";
  if (status >= 400) return "Request refused";
  return operation?.msg ?? "Request answered";
}

function levelOf(status: number): Exclude<LogLevel, "silent"> {
  // 503 asks the caller to come again: a server that stops, a store that is busy.
  if (status >= 500 && status !== 503) return "error";
  return status === 503 || status === 401 || status === 403 || status === 429 ? "warn" : "info";
}
