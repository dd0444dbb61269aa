// Whether the store is read-only because its log does not verify: looked up when the page opens and every minute.
import { signal } from "@preact/signals";
import { me } from "./session.ts";

const LOOK_MS = 60_000;

/** What is wrong with the log, or null. */
export const violation = signal<string | null>(null);

async function look(): Promise<void> {
  try {
    violation.value = (await me().logHealth()).violation;
  } catch {
    // Whoever is offline or signed out is told by other means; the last answer stands.
  }
}

/** Look now and then; returns how to stop. */
export function watchHealth(): () => void {
  void look();
  const timer = setInterval(() => void look(), LOOK_MS);
  return () => clearInterval(timer);
}
