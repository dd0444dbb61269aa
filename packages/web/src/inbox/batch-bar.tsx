// What can be done with the tickets that are picked. Before a yes to several, each of them is shown whole.
import type { Ticket } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useLazy } from "../ui/use-lazy.ts";
import { t } from "../words/words.ts";
import { type BatchDecision, whyNotTogether } from "./batch.ts";
import { clearPicked, picked } from "./cursor.ts";
import { everything } from "./tickets.ts";

export function BatchBar() {
  const opened = useSignal<BatchDecision | null>(null);
  const chosen = everything.value.filter(({ ticket }) => picked.value.has(ticket.id)).map(({ ticket }) => ticket);
  if (chosen.length === 0) return null;
  const problem = whyNotTogether(chosen);
  const close = () => {
    opened.value = null;
  };
  return (
    <fieldset class="batch-bar" aria-label={t("inbox.batch.region")}>
      <span class="batch-count">{t("inbox.batch.selected", { chosen: chosen.length })}</span>
      <button type="button" class="quiet" onClick={clearPicked}>
        {t("inbox.batch.clear")}
      </button>
      <button
        type="button"
        class="bad"
        onClick={() => {
          opened.value = "reject";
        }}
      >
        {t("inbox.batch.rejectAll")}
      </button>
      <button
        type="button"
        class="good"
        disabled={problem !== null}
        onClick={() => {
          opened.value = "approve";
        }}
      >
        {t("inbox.batch.approveAll")}
      </button>
      {problem !== null && <p class="batch-problem">{problem}</p>}
      <LazyDialog decision={opened.value} tickets={chosen} onClose={close} />
    </fieldset>
  );
}

const dialog = () => import("./batch-dialog.tsx").then((part) => part.BatchDialog);

/** Fetches the dialog with the first picked ticket, and shows it when a decision is chosen. */
function LazyDialog({ decision, ...props }: { decision: BatchDecision | null; tickets: Ticket[]; onClose: () => void }) {
  const loaded = useLazy(dialog);
  if (decision === null || loaded.status === "loading") return null;
  if (loaded.status === "ready") return <loaded.part decision={decision} {...props} />;
  return (
    <p class="batch-problem" role="alert">
      {t("app.partFailed")}
    </p>
  );
}
