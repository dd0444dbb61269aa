// What this session was given in a command's place. When the host then asks for permission, only that very input is allowed: another
// hook may have put its own command there.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sessionKey } from "@hap/sandbox/session-key";
import type { JsonObject } from "../read-event.ts";

/** Remember an input as issued. */
export function issue(home: string, session: string, input: JsonObject): void {
  const path = issuedPath(home, session, input);
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(path, "", { mode: 0o600 });
}

/** True when this session was given exactly this input. */
export function wasIssued(home: string, session: string | null, input: JsonObject): boolean {
  return session !== null && input.dangerouslyDisableSandbox !== true && existsSync(issuedPath(home, session, input));
}

/** Beside the session's folder, which ends with the session's namespaces. */
function issuedPath(home: string, session: string, { description: _said, ...input }: JsonObject): string {
  const text = JSON.stringify(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return join(home, ".hap", "issued", sessionKey(session), createHash("sha256").update(text).digest("hex"));
}
