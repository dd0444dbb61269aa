// Whether the store is read-only because its log does not verify: looked up when the page opens and every minute.
import { callJson } from "@hap/sdk/page";
import { signal } from "@preact/signals";
import { transport } from "./session.ts";

const LOOK_MS = 60_000;

/** What is wrong with the log, or null. */
export const violation = signal<string | null>(null);

async function look(): Promise<void> {
  try {
    const health = await callJson<{ violation: string | null }>(transport, { method: "GET", path: "/v1/log" });
    violation.value = health.violation;
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
