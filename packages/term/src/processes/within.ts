// Waits for something, but not for ever, and leaves no timer behind.

/** The promise's value, or undefined when the time is over. */
export async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  // Longer waits than a timer can hold are cut.
  const timer = setTimeout(() => resolve(undefined), Math.min(timeoutMs, 2 ** 31 - 1));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
