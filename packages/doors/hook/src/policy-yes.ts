// A yes by a rule, without a person.
import type { Answer } from "./answer.ts";
import { HOSTS } from "./hosts.ts";
import type { HookOptions } from "./options.ts";
import type { HookEvent } from "./read-event.ts";

/**
 * A host that asks for permission after our yes, because its own rules want a person, shows its own dialog: no policy answers there.
 * Other hosts ask about everything that our yes, which they take for silence, left open.
 */
export function policyYes(event: HookEvent, { host }: HookOptions, reason: string): Answer {
  return event.name === "PermissionRequest" && HOSTS[host].asksForItself ? { decision: "none" } : { decision: "allow", reason };
}
