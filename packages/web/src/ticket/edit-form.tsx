// Edit, then approve: the parts of the action that are text, to be changed by hand. What is approved is what stands here.
import { editableParts, hasInvisible, type Ticket } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { Dialog } from "../ui/dialog.tsx";
import { t } from "../words/words.ts";
import { titleFor } from "./dialog-title.ts";

type Props = { ticket: Ticket; busy: boolean; onApprove: (edits: Record<string, unknown>) => void; onClose: () => void };

export function EditDialog({ ticket, busy, onApprove, onClose }: Props) {
  const parts = editableParts(ticket);
  const texts = useSignal<Record<string, string>>({});
  const edits = Object.fromEntries(
    parts.flatMap(({ key, text }) => {
      const edited = texts.value[key];
      return edited === undefined || edited === text ? [] : [[key, edited] as const];
    }),
  );
  const ready = !busy && Object.keys(edits).length > 0;
  return (
    <Dialog title={titleFor(t("ticket.edit.title"), ticket)} onClose={onClose} wide>
      <p class="quiet-words">{t("ticket.edit.about")}</p>
      {parts.map(({ key, text }, at) => (
        <label class="field" key={key}>
          <span>{key}</span>
          <textarea
            class="code-input"
            rows={Math.min(18, Math.max(2, text.split("\n").length + 1))}
            spellcheck={false}
            {...(at === 0 ? { "data-first": true } : {})}
            onKeyDown={(event) => {
              if (ready && event.key === "Enter" && (event.ctrlKey || event.metaKey)) onApprove(edits);
            }}
            value={texts.value[key] ?? text}
            onInput={(event) => {
              texts.value = { ...texts.value, [key]: event.currentTarget.value };
            }}
          />
          {hasInvisible(texts.value[key] ?? text) && <small class="problem">{t("ticket.edit.hidden")}</small>}
        </label>
      ))}
      <div class="dialog-actions">
        <button type="button" onClick={onClose}>
          {t("common.back")}
        </button>
        <button type="button" class="good" disabled={!ready} onClick={() => onApprove(edits)}>
          {t("ticket.edit.approve")}
        </button>
      </div>
    </Dialog>
  );
}
