// From the end of a ticket to what the gate does. Only a person's yes to exactly what was asked opens it (D10, D17).
import type { Outcome } from "@hap/sdk/agent";

/** Opened, or why not, in words for the agent; the person's own are in them verbatim. */
export type Decision = { open: true; words: string } | { open: false; status: string; words: string };

/** Read an outcome. */
export function readDecision(outcome: Outcome): Decision {
  const { status, words } = outcome;
  if (status === "approved_by_timer")
    return { open: false, status, words: `No person said yes: the time ran out, and time alone opens nothing. ${words}` };
  if (status !== "approved") return { open: false, status, words };
  if (outcome.edits !== null)
    return { open: false, status: "approved_with_edits", words: `Run this instead: ${JSON.stringify(outcome.edits)}` };
  return { open: true, words };
}
