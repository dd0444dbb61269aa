// Step-up without a passkey: the person types a phrase that names the target; the server issued it and checks it again (D3).
import { readPhrase } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Dialog } from "../ui/dialog.tsx";
import { rich, t } from "../words/words.ts";

type Props = {
  title: string;
  /** What the yes is about, shown again. */
  children: ComponentChildren;
  phrase: string;
  action: string;
  busy: boolean;
  onConfirm: (typed: string) => void;
  onClose: () => void;
};

export function PhraseDialog({ title, children, phrase, action, busy, onConfirm, onClose }: Props) {
  const typed = useSignal("");
  const wrong = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog title={title} onClose={onClose} wide>
      {children}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          wrong.value = readPhrase(typed.value) !== phrase;
          if (wrong.value) field.current?.focus();
          else onConfirm(typed.value);
        }}
      >
        <label class="field">
          <span>{rich("ticket.phrase.type", { phrase: <strong class="phrase">{phrase}</strong> })}</span>
          <input
            data-first
            ref={field}
            type="text"
            autoComplete="off"
            autoCapitalize="off"
            spellcheck={false}
            aria-invalid={wrong.value}
            aria-describedby={wrong.value ? "phrase-problem" : undefined}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
              wrong.value = false;
            }}
          />
        </label>
        {wrong.value && (
          <p class="problem" id="phrase-problem" role="alert">
            {t("ticket.phrase.wrong")}
          </p>
        )}
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            {t("common.back")}
          </button>
          <button type="submit" class="good" disabled={busy || typed.value.trim() === ""}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
