// What of an action a person may change before they approve it: its texts, where the ticket allows it.
import type { Ticket } from "./schema/ticket.ts";

const KEYS = ["command", "content", "diff", "file"] as const;

/** The parts that can be edited, in a fixed order; none where the ticket does not allow it. */
export function editableParts({ ask, intent }: Pick<Ticket, "ask" | "intent">): { key: string; text: string }[] {
  if (ask.type !== "approval" || !ask.allow_edits) return [];
  return KEYS.flatMap((key) => {
    const text = intent.details[key];
    return typeof text === "string" ? [{ key, text }] : [];
  });
}
