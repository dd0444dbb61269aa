// Whether a failed request is tried again, and when. At most three tries, and 20 s from the first failure on.
import { ModelError, type ModelErrorKind } from "../model/types.ts";
import { PermanentModelError } from "./permanent-error.ts";

/** What a try that failed leads to: another one after a while, or this error. */
export type RetryPlan = { again: true; delayMs: number } | { again: false; error: ModelError };

export const mostTries = 3;
export const longestRetryMs = 20_000;

const worthAnotherTry: ReadonlySet<ModelErrorKind> = new Set([
  "rate_limited",
  "overloaded",
  "network",
  "broken_stream",
  "bad_output",
]);

/** Pure: `sinceFirstFailureMs` is 0 at the first failure, `random` is in 0..1. */
export function planRetry(
  error: ModelError,
  at: { attempt: number; sinceFirstFailureMs: number; baseMs: number; random: number },
): RetryPlan {
  if (error instanceof PermanentModelError || !worthAnotherTry.has(error.kind)) return { again: false, error };
  const left = longestRetryMs - at.sinceFirstFailureMs;
  if (error.retryAfterMs !== null && error.retryAfterMs > left)
    return { again: false, error: asksTooLong(error, error.retryAfterMs) };
  const backOff = at.baseMs * 2 ** (at.attempt - 1) * (0.75 + at.random / 2);
  const delayMs = Math.round(error.retryAfterMs ?? backOff);
  if (at.attempt >= mostTries || delayMs > left) return { again: false, error: givenUp(error, at.attempt) };
  return { again: true, delayMs };
}

function asksTooLong(error: ModelError, ms: number): ModelError {
  const text = `${error.message}. It asks to wait ${Math.ceil(ms / 1000)} s, longer than the ${longestRetryMs / 1000} s that a request waits; try again later.`;
  return new ModelError(error.kind, text, error);
}

function givenUp(error: ModelError, attempt: number): ModelError {
  return attempt === 1 ? error : new ModelError(error.kind, `${error.message} (tried ${attempt} times)`, error);
}
