// A limit for synchronous work: V8 stops it from a thread of its own, regular expressions included. It costs a tenth of a
// millisecond, where a worker that watches costs as much as starting Node.
import { Script } from "node:vm";
import { HookError } from "./hook-error.ts";

const LIMIT_MS = 15_000;
/** Work that took longer than this is unusual: from then on a worker watches the rest of the run. */
const UNUSUAL_MS = 500;
const SLOT = Symbol.for("hap-hook.work");

/** Run `work`, and refuse the call where it takes longer than `limitMs`. */
export function withinTime<T>(work: () => T, limitMs = LIMIT_MS): { result: T; unusual: boolean } {
  const slot = globalThis as unknown as Record<symbol, (() => T) | undefined>;
  const started = performance.now();
  slot[SLOT] = work;
  try {
    const result = new Script(`globalThis[Symbol.for("hap-hook.work")]()`).runInThisContext({ timeout: limitMs }) as T;
    return { result, unusual: performance.now() - started > UNUSUAL_MS };
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new HookError(`Reading the call took longer than ${limitMs / 1000} s. Make the call shorter.`);
  } finally {
    delete slot[SLOT];
  }
}
