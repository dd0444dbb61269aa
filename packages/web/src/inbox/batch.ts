// Several tickets at once. A yes only for alike, routine ones that were shown; a no for any. For a few seconds nothing is
// sent, and closing the page then sends nothing: the way back is always the safe one.
import type { Ticket } from "@hap/protocol";
import { isHapError } from "@hap/protocol";
import { me, signedOut } from "../state/session.ts";
import { say } from "../state/toasts.ts";
import { t } from "../words/words.ts";
import { clearPicked } from "./cursor.ts";
import { take } from "./tickets.ts";

/** How long a batch can be taken back. */
const UNDO_MS = 6_000;

/** Why these cannot be approved together; null when they can. */
export function whyNotTogether(tickets: readonly Ticket[]): string | null {
  if (tickets.some(({ ask }) => ask.type !== "approval")) return t("inbox.batch.noQuestions");
  if (tickets.some(({ tier }) => tier !== "routine")) return t("inbox.batch.onlyRoutine");
  if (new Set(tickets.map(({ intent }) => intent.kind)).size > 1) return t("inbox.batch.onlyOneKind");
  return null;
}

/** What can be decided for several tickets at once. */
export type BatchDecision = "approve" | "reject";
/** A decision for several tickets. */
export type Batch = { decision: BatchDecision; tickets: readonly Ticket[]; comment: string };

/** Decide them all, unless somebody takes it back first. */
export function decideSoon({ decision, tickets, comment }: Batch): void {
  clearPicked();
  const words = comment.trim() === "" ? undefined : comment.trim();
  const send = async () => {
    gone();
    const results = await Promise.allSettled(
      tickets.map(({ id }) => (decision === "approve" ? me().approve(id, words) : me().reject(id, words)).then(take)),
    );
    const failed = results.filter((result) => result.status === "rejected").map(({ reason }) => reason as unknown);
    if (failed.some(signedOut)) return;
    const done = tickets.length - failed.length;
    const first = failed.find(isHapError);
    say(
      failed.length === 0
        ? t(`inbox.batch.${decision}Done`, { done })
        : t(`inbox.batch.${decision}NotAll`, { done, failed: failed.length, why: first?.message ?? t("inbox.batch.noAnswer") }),
      {
        tone: failed.length === 0 ? "calm" : "bad",
      },
    );
  };
  const timer = setTimeout(() => void send(), UNDO_MS);
  const gone = say(t(`inbox.batch.${decision}Soon`, { count: tickets.length }), {
    ms: UNDO_MS,
    action: {
      label: t("inbox.batch.undo"),
      run: () => {
        clearTimeout(timer);
        gone();
        say(t("inbox.batch.undone"));
      },
    },
  });
}
