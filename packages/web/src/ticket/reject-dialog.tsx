// A no, with words for the agent: some that are often wanted, and one's own.
import { LIMITS, type LineComment } from "@hap/protocol";
import { type Signal, useSignal } from "@preact/signals";
import { Dialog } from "../ui/dialog.tsx";
import { t } from "../words/words.ts";
import { SafeText } from "./safe-text.tsx";

const presets = {
  reject: [
    t("ticket.reject.notNeeded"),
    t("ticket.reject.tooRisky"),
    t("ticket.reject.outOfScope"),
    t("ticket.reject.wrongApproach"),
    t("ticket.reject.askLater"),
  ],
  changes: [t("ticket.reject.smaller"), t("ticket.reject.tests"), t("ticket.reject.fullDiff"), t("ticket.reject.explain")],
};

type Props = {
  kind: "reject" | "changes";
  title: string;
  busy: boolean;
  /** Comments on lines that go along. */
  review?: Signal<readonly LineComment[]>;
  onSend: (comment: string) => void;
  onClose: () => void;
};

export function RejectDialog({ kind, title, busy, review, onSend, onClose }: Props) {
  const lines = review?.value ?? [];
  const words = useSignal("");
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSend(words.value.trim());
        }}
      >
        <fieldset class="presets" aria-label={t("ticket.reject.presets")}>
          {presets[kind].map((preset) => (
            <button
              type="button"
              class="preset"
              key={preset}
              aria-pressed={words.value === preset}
              onClick={() => {
                words.value = preset;
              }}
            >
              {preset}
            </button>
          ))}
        </fieldset>
        {lines.length > 0 && (
          <section class="review-list" aria-label={t("ticket.reject.lines")}>
            <h3>{t("ticket.reject.lines")}</h3>
            <ul>
              {lines.map(({ file, line, side, text }, at) => (
                <li key={at}>
                  <code>
                    <SafeText text={`${file}:${line}`} />
                  </code>{" "}
                  {side === "old" && <span class="quiet-words">{t("diff.comment.removedLine")}</span>} <SafeText text={text} />
                </li>
              ))}
            </ul>
          </section>
        )}
        <label class="field">
          <span>{kind === "reject" ? t("ticket.reject.why") : t("ticket.reject.whatToChange")}</span>
          <textarea
            data-first
            rows={3}
            maxLength={LIMITS.commentChars}
            value={words.value}
            onInput={(event) => {
              words.value = event.currentTarget.value;
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSend(words.value.trim());
            }}
          />
        </label>
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            {t("common.back")}
          </button>
          <button
            type="submit"
            class={kind === "reject" ? "bad" : "changed"}
            disabled={busy || (kind === "changes" && words.value.trim() === "" && lines.length === 0)}
          >
            {kind === "reject" ? t("common.reject") : t("common.requestChanges")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
