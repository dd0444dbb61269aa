// When a failed delivery is tried again: three times as long each time, up to six hours, twelve tries in about a day.

const FIRST_MS = 5_000;
const LONGEST_MS = 6 * 3_600_000;
const TRIES = 12;
/** Up to so much of a delay is left to chance, so that what failed together does not come back together. */
const JITTER = 0.2;

/** How long to wait after so many tries; null to give up. `chance` is between 0 and 1. */
export function retryDelay(tries: number, chance: number): number | null {
  if (tries >= TRIES) return null;
  const delay = Math.min(LONGEST_MS, FIRST_MS * 3 ** (tries - 1));
  return Math.round(delay * (1 - JITTER + 2 * JITTER * chance));
}
