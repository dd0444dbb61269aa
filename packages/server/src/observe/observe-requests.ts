// Around every request of the API: one span and a span for what it does to a ticket, one line in the log, one count.

import type { Ticket } from "@hap/protocol";
import type { Operation } from "@hap/protocol/operations";
import { isSpanContextValid, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import type { Headers } from "../api/request.ts";
import type { Log, LogLevel } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { callerContext } from "./trace.ts";

/** What a request turns out to be about. Ids and numbers only: never a word that an agent or a person wrote. */
export type RequestNotes = {
  by?: string;
  ticket?: Pick<Ticket, "id" | "from" | "to" | "risk" | "priority" | "state">;
};

type Observed = Pick<Operation, "method" | "path" | "span" | "logs">;

/** Wraps the handling of anything that comes in by HTTP and ends with a status; without one, it went well. */
export type Around = <T extends { status?: number }>(
  headers: Headers,
  operation: Observed,
  work: (notes: RequestNotes) => Promise<T>,
) => Promise<T>;

/** What a request is told to. */
export type Observers = { tracer: Tracer; log: Log; metrics: Pick<Metrics, "answered"> };

/** The wrapper that the pipeline puts around each request. */
export function observeRequests({ tracer, log, metrics }: Observers): Around {
  return async (headers, operation, work) => {
    const started = performance.now();
    const notes: RequestNotes = {};
    const { method, path } = operation;
    const route = `${method} ${path}`;
    const attributes = { "http.request.method": method, "http.route": path };
    const span = tracer.startSpan(route, { kind: SpanKind.SERVER, attributes }, callerContext(headers));
    const inside = trace.setSpan(ROOT_CONTEXT, span);
    const inner = operation.span === undefined ? null : tracer.startSpan(operation.span, {}, inside);
    const answer = await work(notes);
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

function messageOf({ logs = "Request answered" }: Observed, status: number): string {
  if (status === 503) return "Request put off";
  if (status >= 500) return "Request failed";
  if (status >= 400) return "Request refused";
  return logs;
}

function levelOf(status: number): Exclude<LogLevel, "silent"> {
  // 503 asks the caller to come again: a server that stops, a store that is busy.
  if (status >= 500 && status !== 503) return "error";
  return status === 503 || status === 401 || status === 403 || status === 429 ? "warn" : "info";
}
