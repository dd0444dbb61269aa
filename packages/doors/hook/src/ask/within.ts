// A limit on how long something may take.
import { HookError } from "../hook-error.ts";

/** The promise's value, or an error when it takes longer. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HookError(`${what} took longer than ${(ms / 1000).toFixed(1)} s.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
