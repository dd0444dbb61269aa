// One finding of `hap doctor`.
import type { Host } from "@hap/door-hook/install";

/** `warn` is worth knowing and no failure; `fail` makes the exit code 1. */
export type Status = "ok" | "warn" | "fail";
export type Check = { id: string; status: Status; text: string; host?: Host };

/** A short way to say one. */
export function check(id: string, status: Status, text: string): Check {
  return { id, status, text };
}
