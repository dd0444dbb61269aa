// Waiting for the write lock: short random waits, since SQLite's own busy handler lets one writer starve the others.

/** How long a writer tries before it gives up. */
export const BUSY_LIMIT_MS = 15_000;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** True for SQLITE_BUSY in any of its forms. */
function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number } | null)?.errcode;
  return code !== undefined && (code & 0xff) === 5;
}

/** After `first`, the error of a first try: call again while the file is locked, until the time is up. */
export function retryBusy<T>(first: unknown, call: () => T, limitMs: number): T {
  const started = performance.now();
  let last = first;
  for (let tries = 0; isBusy(last) && performance.now() - started < limitMs; tries++) {
    Atomics.wait(sleeper, 0, 0, Math.random() * Math.min(2 + tries / 8, 10));
    try {
      return call();
    } catch (error) {
      last = error;
    }
  }
  throw last;
}
