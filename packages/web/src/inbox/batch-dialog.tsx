// The dialog of a batch: each ticket whole, as its own page shows it. Fetched when a ticket is picked, so that the list comes sooner.
import { LIMITS, showInvisible, type Ticket } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Presentation, readingOwners } from "../ticket/blocks.tsx";
import { type Reading, ReadingContext, useReading } from "../ticket/reading.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { t } from "../words/words.ts";
import { type BatchDecision, decideSoon } from "./batch.ts";

type Props = { decision: BatchDecision; tickets: Ticket[]; onClose: () => void };

/** Shows every picked ticket; a yes to all of them is open when all of them were in view. */
export function BatchDialog({ decision, tickets, onClose }: Props) {
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
