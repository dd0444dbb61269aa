// The quick looks at a session's confinement, for calls that need nothing else of it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sessionKey } from "@hap/sandbox/session-key";

/** True when the session has namespaces of its own; whether something runs in them is looked at later. */
export function hasNamespaces(home: string, session: string | null): boolean {
  return session !== null && existsSync(join(home, ".hap", "confined", sessionKey(session), "holder"));
}
