// A yes by a rule, without a person.
import type { Answer } from "./answer.ts";
import type { HookOptions } from "./options.ts";
import type { HookEvent } from "./read-event.ts";

/**
 * Claude Code asks for permission after our yes only where its own rules or checks want a person. No policy answers for one there:
 * the host's dialog does. Codex asks about everything that our yes, which it takes for silence, left open.
 */
export function policyYes(event: HookEvent, { host }: HookOptions, reason: string): Answer {
  return event.name === "PermissionRequest" && host === "claude" ? { decision: "none" } : { decision: "allow", reason };
}
