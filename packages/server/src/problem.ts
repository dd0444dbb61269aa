// Problem details (RFC 9457) for every error: the code of our table, its words, and when to come back.
import { ERRORS, type ErrorCode, HapError, isHapError } from "@hap/protocol";

/** A problem as it crosses the wire. `code` is what programs match on. */
type Problem = { type: string; title: string; status: number; detail: string; code: ErrorCode } & Record<string, unknown>;

type JsonReply = { status: number; json: unknown; headers: Record<string, string> };

const PROBLEM_TYPE = "application/problem+json";
/** How long to stay away, in seconds, where an error does not say so itself. */
const RETRY_SECONDS: Partial<Record<number, number>> = { 429: 5, 503: 1 };

/** The problem that an error is. */
function toProblem(error: HapError): Problem {
  const { title, status } = ERRORS[error.code];
  const { type: _type, title: _title, status: _status, detail: _detail, code: _code, ...fields } = error.fields;
  return { type: `urn:hap:error:${error.code}`, title, status, detail: error.message, code: error.code, ...fields };
}

/** The reply that an error is. What we did not expect is told to the log and not to the caller. */
export function problemReply(error: unknown, log: (error: unknown) => void): JsonReply {
  if (!isHapError(error)) {
    log(error);
    const problem = {
      type: "about:blank",
      title: "Internal error",
      status: 500,
      detail: "HAP failed in a way that it did not expect; the server's log says more.",
      code: "internal_error",
    };
    return { status: 500, json: problem, headers: { "content-type": PROBLEM_TYPE } };
  }
  const problem = toProblem(error);
  const wait = Number(error.fields.retry_after_seconds) || RETRY_SECONDS[problem.status];
  return {
    status: problem.status,
    json: problem,
    headers: {
      "content-type": PROBLEM_TYPE,
      ...(wait === undefined ? {} : { "retry-after": String(Math.ceil(wait)) }),
      ...(error.code === "method_not_allowed" ? { allow: String(error.fields.allow) } : {}),
      ...(problem.status === 401 ? { "www-authenticate": 'Bearer realm="hap"' } : {}),
    },
  };
}

/** The same as a response, for requests beside the API. */
export function problemResponse(error: unknown, log: (error: unknown) => void): Response {
  const { status, json: problem, headers } = problemReply(error, log);
  return new Response(JSON.stringify(problem), { status, headers });
}

/** A JSON response. */
export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
}

/** The error for a method that an address does not have; `allow` names those that it has. */
export function otherMethod(method: string, path: string, allow: string): HapError {
  return new HapError("method_not_allowed", `${path.slice(0, 200)} knows ${allow}, not ${method.slice(0, 20)}.`, { allow });
}

/** The error for an address where nothing is. */
export function nothingHere(path: string): HapError {
  return new HapError("route_not_found", `Nothing is served at ${path.slice(0, 200)}. /openapi.json lists what is.`);
}
