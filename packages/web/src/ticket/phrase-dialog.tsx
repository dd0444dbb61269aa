// Step-up without a passkey: the person types a phrase that was made for this ticket.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Dialog } from "../ui/dialog.tsx";
import { rich, t } from "../words/words.ts";
import { isPhrase, makePhrase } from "./phrase.ts";

type Props = { title?: string; what: string; action: string; busy: boolean; onConfirm: () => void; onClose: () => void };

export function PhraseDialog({ title = t("common.thisOneIsCritical"), what, action, busy, onConfirm, onClose }: Props) {
  const phrase = useMemo(() => makePhrase(), []);
  const typed = useSignal("");
  const right = isPhrase(typed.value, phrase);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{what}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (right) onConfirm();
        }}
      >
        <label class="field">
          <span>{rich("ticket.phraseDialog.toGoOnTypeStrong", { strong: <strong class="phrase">{phrase}</strong> })}</span>
          <input
            data-first
            type="text"
            autoComplete="off"
            autoCapitalize="off"
            spellcheck={false}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </label>
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            {t("common.back")}
          </button>
          <button type="submit" class="good" disabled={!right || busy}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
