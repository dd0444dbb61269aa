// The dialog that is open over a ticket; each names its ticket.
import { type LineComment, type Ticket, writeReview } from "@hap/protocol";
import type { Signal } from "@preact/signals";
import { at } from "../router.ts";
import { me } from "../state/session.ts";
import { useLazy } from "../ui/use-lazy.ts";
import { rich, t } from "../words/words.ts";
import { ActAgain } from "./act-again.tsx";
import { approveTitle, titleFor } from "./dialog-title.ts";
import { EditDialog } from "./edit-form.tsx";
import { PasskeyDialog } from "./passkey-dialog.tsx";
import { PhraseDialog } from "./phrase-dialog.tsx";
import { RejectDialog } from "./reject-dialog.tsx";
import { SnoozeDialog } from "./snooze-dialog.tsx";
import { SshDialog } from "./ssh-dialog.tsx";
import type { Deciding } from "./use-deciding.ts";

const grantDialog = () => import("../grants/grant-dialog.tsx").then((part) => part.GrantDialog);

/** Fetched when somebody wants one. */
function LazyGrant(props: { ticket: Ticket; verdict: "allow" | "deny"; title: string; onClose: () => void }) {
  const loaded = useLazy(grantDialog);
  return loaded.status === "ready" ? <loaded.part {...props} /> : null;
}

type Props = { ticket: Ticket; deciding: Deciding; review: Signal<readonly LineComment[]> };

export function DecideDialogs({ ticket, deciding, review }: Props) {
  const { opened, busy, close, run, sayYes, sendYes, words } = deciding;
  const { value } = opened;
  const shared = { busy: busy.value, onClose: close };
  switch (value?.name) {
    case undefined:
      return null;
    case "reject":
      return (
        <RejectDialog
          {...shared}
          kind="reject"
          title={titleFor(t("common.reject"), ticket)}
          onSend={(reason) => run(() => me().reject(ticket.id, reason || words().comment))}
        />
      );
    case "changes":
      return (
        <RejectDialog
          {...shared}
          kind="changes"
          title={titleFor(t("common.requestChanges"), ticket)}
          review={review}
          onSend={(wish) => run(() => me().requestChanges(ticket.id, writeReview({ text: wish, lines: review.value })))}
        />
      );
    case "snooze":
      return <SnoozeDialog {...shared} ticket={ticket} onSnooze={(seconds) => run(() => me().snooze(ticket.id, seconds))} />;
    case "always-allow":
    case "always-deny": {
      const verdict = value.name === "always-allow" ? "allow" : "deny";
      return <LazyGrant ticket={ticket} verdict={verdict} title={titleFor(t(`grants.${verdict}`), ticket)} onClose={close} />;
    }
    case "edit":
      return <EditDialog {...shared} ticket={ticket} onApprove={(edits) => void sayYes({ ...words(), edits })} />;
    case "phrase":
      return (
        <PhraseDialog
          {...shared}
          title={approveTitle(ticket)}
          phrase={value.phrase}
          action={value.yes.answer === undefined ? t("common.approve") : t("ticket.answer.send")}
          onConfirm={(phrase) => {
            if (value.after === "send") void run(() => sendYes(value.yes, { phrase }));
            else opened.value = { name: "passkey", yes: value.yes, phrase };
          }}
        >
          <ActAgain ticket={ticket} yes={value.yes} />
          <p class="quiet-words">{t("ticket.phrase.final")}</p>
          {value.after === "send" && (
            <p class="quiet-words">
              {rich("ticket.phrase.enrol", { add: <a href={at("/settings")}>{t("settings.passkeys.add")}</a> })}
            </p>
          )}
        </PhraseDialog>
      );
    case "ssh":
      return <SshDialog ticket={ticket} phrase={value.phrase} onClose={close} />;
    case "passkey":
      return <PasskeyDialog {...shared} ticket={ticket} yes={value.yes} phrase={value.phrase} run={run} />;
  }
}
