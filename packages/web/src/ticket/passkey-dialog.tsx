// Step-up with a passkey: one touch, over exactly what is approved.
import type { Ticket } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { passkeyWords } from "../passkeys/assert.ts";
import { decideByPasskey } from "../passkeys/sign-decision.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { t } from "../words/words.ts";
import { ActAgain } from "./act-again.tsx";
import { approveTitle } from "./dialog-title.ts";
import type { Yes } from "./yes.ts";

type Props = {
  ticket: Ticket;
  yes: Yes;
  phrase: string | undefined;
  busy: boolean;
  run: (work: () => Promise<Ticket>) => Promise<void>;
  onClose: () => void;
};

export function PasskeyDialog({ ticket, yes, phrase, busy, run, onClose }: Props) {
  const problem = useSignal<string | null>(null);
  const sign = () =>
    run(async () => {
      problem.value = null;
      try {
        return await decideByPasskey(ticket, { decision: yes.answer === undefined ? "approve" : "answer", ...yes }, phrase);
      } catch (error) {
        problem.value = passkeyWords(error);
        throw error;
      }
    });
  return (
    <Dialog title={approveTitle(ticket)} onClose={onClose} wide>
      <ActAgain ticket={ticket} yes={yes} />
      <p>{t("ticket.passkey.about")}</p>
      <p class="quiet-words hash">{ticket.artifact.bytes_hash}</p>
      {problem.value !== null && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="dialog-actions">
        <button type="button" data-first onClick={onClose}>
          {t("common.back")}
        </button>
        <button type="button" class="good" disabled={busy} onClick={() => void sign()}>
          <Icon name="key" /> {t("ticket.passkey.use")}
        </button>
      </div>
    </Dialog>
  );
}
