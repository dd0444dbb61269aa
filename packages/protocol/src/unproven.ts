// The label of a yes that nothing but an account stands behind (D3): a program of the same user could have made it.
import type { AssuranceLevel, Decision } from "./constants.ts";
import type { Ticket } from "./schema/ticket.ts";

/** True for a person's yes without a signature. A no is never labelled: it lets nothing happen. */
export function isUnproven(yes: { decision: Decision; assurance: AssuranceLevel; relayed: boolean }): boolean {
  if (yes.relayed || (yes.decision !== "approve" && yes.decision !== "answer")) return false;
  return yes.assurance === "local" || yes.assurance === "session";
}

/** What the evidence of a yes to a critical ticket leaves open, in words, or null. */
export function evidenceNote({ tier, resolution }: Pick<Ticket, "tier" | "resolution">): string | null {
  if (tier !== "critical" || resolution === null) return null;
  if (resolution.unproven) return "No key signed it: a program of the same user could have made this yes.";
  if (resolution.assurance === "key" && ["approved", "answered"].includes(resolution.outcome))
    return "Signed at level key: an ssh-agent that holds the key signs without asking.";
  return null;
}
