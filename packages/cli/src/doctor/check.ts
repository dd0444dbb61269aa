// One finding of `hap doctor`.
import type { Finding, Host } from "@hap/door-hook/install";

/** Level of a finding: `warn` is worth knowing and no failure; `fail` makes the exit code 1. */
export type Status = Finding["status"];
/** A finding, and the host that it is about. */
export type Check = Finding & { host?: Host };

/** Create a finding. */
export function check(id: string, status: Status, text: string): Check {
  return { id, status, text };
}
