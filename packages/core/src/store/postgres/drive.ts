// The two drivers of the protocol's steps: one blocks this thread, the other waits.
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Bridge } from "./bridge.ts";
import { failureOf, translatePg } from "./errors.ts";
import type { Call, Steps } from "./space-link.ts";

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Run steps on a blocking connection. */
export function driveNow<T>(steps: Steps<T>, bridge: Bridge, path: string): T {
  const answer = (call: Call): unknown => {
    if ("pauseMs" in call) return Atomics.wait(sleeper, 0, 0, call.pauseMs);
    return bridge.query(call.sql, call.values)[0]?.[0];
  };
  try {
    for (let step = steps.next(); ; ) {
      if (step.done) return step.value;
      step = resume(steps, () => answer((step as { value: Call }).value));
    }
  } catch (error) {
    throw translatePg(error, path);
  }
}

function resume<T>(steps: Steps<T>, answer: () => unknown): IteratorResult<Call, T> {
  let value: unknown;
  try {
    value = answer();
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(value);
}

/** Run steps on connections of a pool. */
export async function driveLater<T>(steps: Steps<T>, pool: Pool, path: string): Promise<T> {
  try {
    for (let step = steps.next(); ; ) {
      if (step.done) return step.value;
      const call = step.value;
      const outcome = await ask(call, pool);
      step = "error" in outcome ? steps.throw(outcome.error) : steps.next(outcome.value);
    }
  } catch (error) {
    throw translatePg(error, path);
  }
}

async function ask(call: Call, pool: Pool): Promise<{ value: unknown } | { error: unknown }> {
  if ("pauseMs" in call) return { value: await pause(call.pauseMs) };
  try {
    const { rows } = await pool.query({ text: call.sql, values: call.values, rowMode: "array" });
    return { value: rows[0]?.[0] };
  } catch (error) {
    return { error: failureOf(error) };
  }
}
