// A provider's refusal, in our words: from a status and a body, or from an error inside a stream that began well.
import { ModelError, type ModelErrorKind } from "../../model/types.ts";
import { isObject, parseJson } from "../call-arguments.ts";
import { PermanentModelError } from "../permanent-error.ts";

/** Who answered, for the message. */
export type Answerer = { label: string; authHint: string };

type Told = { message: string; code: string; status: number | null; retryAfterMs: number | null };

/** The error of an answer whose status is not 200. */
export function errorFromResponse(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  body: string,
  from: Answerer,
  now: number,
): ModelError {
  const parsed = parseJson(body);
  const told = tellError(parsed) ?? {
    message: plainText(body) || "no explanation",
    code: "",
    status: null,
    retryAfterMs: null,
  };
  const retryAfterMs = retryAfterOf(headers, now) ?? told.retryAfterMs;
  if (status >= 300 && status < 400)
    return new PermanentModelError(
      "network",
      `${from.label} answered with a redirection (${status}) to ${String(headers.location ?? "nowhere")}; give that address as the API base`,
      { status },
    );
  const error = classify({ ...told, status, retryAfterMs }, from);
  if (headers["x-should-retry"] === "false" && !(error instanceof PermanentModelError))
    return new PermanentModelError(error.kind, error.message, { status, retryAfterMs });
  return error;
}

/** The error that an event holds, or null when it holds none. */
export function errorFromEvent(data: unknown, from: Answerer): ModelError | null {
  const told = tellError(data);
  return told === null ? null : classify(told, from);
}

/** The error of a program that tells only words, and perhaps a status. */
export function errorFromMessage(message: string, status: number | null, from: Answerer): ModelError {
  return classify({ message, code: "", status, retryAfterMs: null }, from);
}

/** Finds the error in the shapes that providers use. Codes are compared in lower case. */
function tellError(value: unknown): Told | null {
  const root = Array.isArray(value) ? value[0] : value;
  if (!isObject(root)) return null;
  const inner = root.error ?? root.detail ?? (root.type === "error" || root.object === "error" ? root : undefined);
  if (inner === undefined || inner === null) return null;
  if (typeof inner === "string") return { message: inner, code: "", status: null, retryAfterMs: null };
  if (!isObject(inner)) return { message: JSON.stringify(inner), code: "", status: null, retryAfterMs: null };
  const codes = [inner.code, inner.type, inner.status].filter((code) => typeof code === "string");
  const status = [inner.code, inner.status].find((code) => typeof code === "number" && code >= 300 && code < 600);
  const message = typeof inner.message === "string" && inner.message !== "" ? inner.message : JSON.stringify(inner);
  return {
    message,
    code: codes.concat(reasons(inner.details)).join(" ").toLowerCase(),
    status: typeof status === "number" ? status : null,
    retryAfterMs: googleRetryDelay(inner.details),
  };
}

const contextTooLong =
  /context[ _-]?(length|window|size)|maximum context|prompt is too long|input is too long|too many (input )?tokens|token count .*exceeds|exceeds .*(maximum|max).* tokens|reduce the length|request_too_large/i;
const quotaGone =
  /insufficient_quota|billing_(hard_)?limit|credit balance|out of credits|exceeded your current quota|payment required/i;

function classify({ message, code, status, retryAfterMs }: Told, { label, authHint }: Answerer): ModelError {
  const more = { status, retryAfterMs };
  const said = `${label}${status === null ? "" : ` (${status})`}: ${message.slice(0, 600)}`;
  const make = (kind: ModelErrorKind, next = "") => new ModelError(kind, `${said}${next}`, more);
  const permanent = (kind: ModelErrorKind, next = "") => new PermanentModelError(kind, `${said}${next}`, more);
  const is = (pattern: RegExp) => pattern.test(code);

  if (status === 401 || is(/authentication|invalid_api_key|api_key_invalid|unauthenticated/))
    return permanent("auth", `. ${authHint}`);
  // A quota that is used up is not waited for; Gemini says "quota" of its limits per minute, too, and how long to wait.
  if (
    status === 402 ||
    (quotaGone.test(`${code} ${message}`) && retryAfterMs === null && (status === 429 || status === null || is(/quota/)))
  )
    return permanent("rate_limited", ". The account has no credit left: check its plan and billing.");
  if (status === 403 || is(/permission/)) return permanent("auth", `. ${authHint}`);
  if (status === 429 || is(/rate_limit|resource_exhausted|too_many_requests/)) return make("rate_limited");
  if (status === 413 || contextTooLong.test(`${code} ${message}`)) return permanent("context_too_long");
  if (status === 404 || is(/not_found/))
    return permanent("not_found", ". Check the model's name, and the API base (an OpenAI base usually ends in /v1).");
  if (is(/overloaded|unavailable|server_error|internal|api_error|timeout|deadline/)) return make("overloaded");
  if (is(/content_policy|content_filter|safety|sensitive/)) return permanent("refused");
  if (is(/invalid_request|invalid_argument|failed_precondition|unsupported|invalid_prompt/)) return permanent("bad_request");
  if (status === null) return make("broken_stream");
  if (status >= 500 || status === 408 || status === 425) return make("overloaded");
  return permanent("bad_request");
}

function plainText(body: string): string {
  const text = body.replace(/<(script|style)[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ");
  return text.replace(/\s+/g, " ").trim().slice(0, 300);
}

/** How long a server asks us to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterOf(headers: Record<string, string | string[] | undefined>, now: number): number | null {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const after = headers["retry-after"];
  if (typeof after !== "string" || after.trim() === "") return null;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

const details = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);

function googleRetryDelay(value: unknown): number | null {
  for (const { retryDelay } of details(value)) {
    const seconds = typeof retryDelay === "string" ? /^([0-9.]+)s$/.exec(retryDelay)?.[1] : undefined;
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return null;
}

const reasons = (value: unknown) => details(value).flatMap(({ reason }) => (typeof reason === "string" ? [reason] : []));
