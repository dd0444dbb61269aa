// A single yes that the server holds for some seconds (D44). The page only shows it and can undo it: closing the tab changes nothing.
import { isHapError, showInvisible, type Ticket } from "@hap/protocol";
import { signal } from "@preact/signals";
import type { Yes } from "../ticket/yes.ts";
import { t } from "../words/words.ts";
import { preferences } from "./preferences.ts";
import { sayFailure } from "./say-failure.ts";
import { me } from "./session.ts";
import { say } from "./toasts.ts";

/** The yes that can be undone now, or null. `until` is by this browser's clock. */
export const heldYes = signal<{ id: string; until: number; undo: () => Promise<void> } | null>(null);

/** How many seconds the person wants to hold a yes to this ticket; critical ones have a step of their own instead. */
export function undoSeconds({ tier }: Pick<Ticket, "tier">): number {
  return tier === "critical" ? 0 : preferences.value.undoSeconds[tier];
}

/** Send a yes that the server holds. `undone` gets the ticket back, still open. */
export async function holdYes(ticket: Ticket, yes: Yes, undone: (ticket: Ticket) => void): Promise<Ticket> {
  const { answer, ...rest } = yes;
  const said =
    answer === undefined ? ({ decision: "approve", ...rest } as const) : ({ decision: "answer", answer, ...rest } as const);
  const seconds = undoSeconds(ticket);
  const held = await me().hold(ticket.id, { ...said, seconds });
  const gone = say(t("ticket.held.soon", { summary: showInvisible(ticket.intent.summary) }), {
    ms: seconds * 1000,
    action: { label: t("inbox.batch.undo"), run: () => void undo() },
  });
  const undo = async () => {
    gone();
    if (heldYes.value?.undo === undo) heldYes.value = null;
    try {
      undone(await me().undo(ticket.id));
      say(t("ticket.held.undone"));
    } catch (error) {
      if (isHapError(error) && error.code === "nothing_to_undo") say(t("ticket.held.tooLate"), { tone: "bad" });
      else sayFailure(error);
    }
  };
  const mine = { id: ticket.id, until: Date.now() + seconds * 1000, undo };
  heldYes.value = mine;
  setTimeout(() => {
    if (heldYes.value === mine) heldYes.value = null;
  }, seconds * 1000);
  return held.ticket;
}
