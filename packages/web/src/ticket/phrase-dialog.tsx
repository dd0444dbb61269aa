// Step-up without a passkey: the person types a phrase; for a ticket the server issued it, and checks what was typed (D3).
import { readPhrase } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { Dialog } from "../ui/dialog.tsx";
import { rich, t } from "../words/words.ts";

type Props = {
  title?: string;
  what: string;
  phrase: string;
  action: string;
  busy: boolean;
  onConfirm: (typed: string) => void;
  onClose: () => void;
};

export function PhraseDialog({ title = t("common.thisOneIsCritical"), what, phrase, action, busy, onConfirm, onClose }: Props) {
  const typed = useSignal("");
  const right = readPhrase(typed.value) === phrase;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{what}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (right) onConfirm(typed.value);
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
