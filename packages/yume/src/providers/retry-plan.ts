// Whether a failed request is retried, and when. What may pass by itself (overload, rate limits, an outage of a server that
// answered before) is retried for as long as the caller allows; anything else at most three times within 20 s.
import { ModelError, type ModelErrorKind } from "../model/types.ts";
import { PermanentModelError } from "./permanent-error.ts";

/** What a failed try leads to: another one after a wait, or this error. `mostTries` is an estimate for patient retries. */
export type RetryPlan = { again: true; delayMs: number; mostTries: number } | { again: false; error: ModelError };

export type RetryState = {
  /** The try that failed, counted from 1. */
  attempt: number;
  /** 0 at the first failure. */
  sinceFirstFailureMs: number;
  baseMs: number;
  /** How long a failure that may pass by itself is retried; 0 for three tries. */
  patienceMs: number;
  /** The server has answered this process before, so an unreachable one is an outage and not a wrong address. */
  answeredBefore: boolean;
  /** In 0..1. */
  random: number;
};

export const mostTries = 3;
export const longestRetryMs = 20_000;
/** The longest wait between two tries, unless the server asks for a longer one. */
export const longestBackOffMs = 60_000;

const worthAnotherTry: ReadonlySet<ModelErrorKind> = new Set([
  "rate_limited",
  "overloaded",
  "network",
  "broken_stream",
  "bad_output",
]);

/** Plan the next try. Pure. */
export function planRetry(error: ModelError, at: RetryState): RetryPlan {
  if (error instanceof PermanentModelError || !worthAnotherTry.has(error.kind)) return { again: false, error };
  const patient = isPatient(error.kind, at);
  const longest = patient ? Math.max(longestRetryMs, at.patienceMs) : longestRetryMs;
  const left = longest - at.sinceFirstFailureMs;
  if (error.retryAfterMs !== null && error.retryAfterMs > left)
    return { again: false, error: asksTooLong(error, error.retryAfterMs, longest) };
  const backOff = Math.min(longestBackOffMs, at.baseMs * 2 ** (at.attempt - 1)) * (0.75 + at.random / 2);
  const delayMs = Math.round(error.retryAfterMs ?? backOff);
  if (delayMs > left || (!patient && at.attempt >= mostTries)) return { again: false, error: givenUp(error, at.attempt) };
  return { again: true, delayMs, mostTries: patient ? Math.max(at.attempt + 1, triesWithin(longest, at.baseMs)) : mostTries };
}

function isPatient(kind: ModelErrorKind, { patienceMs, answeredBefore }: RetryState): boolean {
  if (patienceMs <= 0) return false;
  return kind === "rate_limited" || kind === "overloaded" || (kind === "network" && answeredBefore);
}

/** How many tries fit, by the waits alone. */
function triesWithin(ms: number, baseMs: number): number {
  let tries = 1;
  for (let waited = 0; waited < ms && tries < 10_000; tries++)
    waited += Math.max(1, Math.min(longestBackOffMs, baseMs * 2 ** (tries - 1)));
  return tries;
}

function asksTooLong(error: ModelError, ms: number, longest: number): ModelError {
  const text = `${error.message}. It asks to wait ${Math.ceil(ms / 1000)} s, longer than the ${Math.round(longest / 1000)} s that a request waits; try again later, or allow more with --retry-seconds.`;
  return new ModelError(error.kind, text, error);
}

function givenUp(error: ModelError, attempt: number): ModelError {
  return attempt === 1 ? error : new ModelError(error.kind, `${error.message} (tried ${attempt} times)`, error);
}
