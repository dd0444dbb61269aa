// What can be done with the tickets that are picked. Before a yes to several, each of them is shown whole.
import { LIMITS, showInvisible, type Ticket } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Presentation, readingOwners } from "../ticket/blocks.tsx";
import { type Reading, ReadingContext, useReading } from "../ticket/reading.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { t } from "../words/words.ts";
import { decideSoon, whyNotTogether } from "./batch.ts";
import { clearPicked, picked } from "./cursor.ts";
import { everything } from "./tickets.ts";

export function BatchBar() {
  const opened = useSignal<"approve" | "reject" | null>(null);
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
      {opened.value !== null && <BatchDialog decision={opened.value} tickets={chosen} onClose={close} />}
    </fieldset>
  );
}

function BatchDialog({ decision, tickets, onClose }: { decision: "approve" | "reject"; tickets: Ticket[]; onClose: () => void }) {
  const comment = useSignal("");
  const { box, reading } = useReading(tickets.reduce((sum, ticket) => sum + readingOwners(ticket), 0));
  const read = reading.left.value === 0;
  const act = t(`inbox.batch.${decision}Count`, { count: tickets.length });
  return (
    <Dialog title={act} onClose={onClose} wide>
      <ScrollRegion class="batch-list" box={box} label={t("inbox.batch.list")}>
        {tickets.map((ticket) => (
          <section class="batch-ticket" key={ticket.id} aria-label={showInvisible(ticket.intent.summary)}>
            <BatchTicket ticket={ticket} reading={reading} />
          </section>
        ))}
      </ScrollRegion>
      <label class="field">
        <span>{t("inbox.batch.comment")}</span>
        <input
          type="text"
          maxLength={LIMITS.commentChars}
          value={comment.value}
          onInput={(event) => {
            comment.value = event.currentTarget.value;
          }}
        />
      </label>
      <div class="dialog-actions">
        <button type="button" data-first onClick={onClose}>
          {t("common.back")}
        </button>
        <button
          type="button"
          class={decision === "reject" ? "bad" : read ? "good" : "good waits"}
          aria-disabled={decision === "approve" && !read}
          onClick={() => {
            if (decision === "approve" && !read) return reading.showNext();
            onClose();
            decideSoon({ decision, tickets, comment: comment.value });
          }}
        >
          {decision === "reject" || read ? act : t("ticket.bar.unseen", { count: reading.left.value ?? tickets.length })}
        </button>
      </div>
    </Dialog>
  );
}

function BatchTicket({ ticket, reading }: { ticket: Ticket; reading: Reading }) {
  const context = useMemo(() => ({ reading, prefix: `${ticket.id}/` }), [reading, ticket.id]);
  return (
    <ReadingContext.Provider value={context}>
      <Presentation ticket={ticket} />
    </ReadingContext.Provider>
  );
}
