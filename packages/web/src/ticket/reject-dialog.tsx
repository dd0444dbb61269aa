// A no, with words for the agent: some that are often wanted, and one's own.
import { LIMITS } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { Dialog } from "../ui/dialog.tsx";
import { t } from "../words/words.ts";

const presets = {
  reject: [
    t("ticket.rejectDialog.notNeeded"),
    t("ticket.rejectDialog.tooRiskyFindAWay"),
    t("ticket.rejectDialog.outOfScopeStayWith"),
    t("ticket.rejectDialog.wrongApproachStopAndExplain"),
    t("ticket.rejectDialog.notNowAskAgainLater"),
  ],
  changes: [
    t("ticket.rejectDialog.makeItSmallerOneChange"),
    t("ticket.rejectDialog.addOrUpdateTheTests"),
    t("ticket.rejectDialog.showMeTheFullDiff"),
    t("ticket.rejectDialog.explainWhyThisIsNeeded"),
  ],
};

type Props = { kind: "reject" | "changes"; title: string; busy: boolean; onSend: (comment: string) => void; onClose: () => void };

export function RejectDialog({ kind, title, busy, onSend, onClose }: Props) {
  const words = useSignal("");
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSend(words.value.trim());
        }}
      >
        <fieldset class="presets" aria-label={t("ticket.rejectDialog.oftenSaid")}>
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
        <label class="field">
          <span>
            {kind === "reject" ? t("ticket.rejectDialog.whyTheAgentReadsThis") : t("ticket.rejectDialog.whatToChangeTheAgent")}
          </span>
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
            disabled={busy || (kind === "changes" && words.value.trim() === "")}
          >
            {kind === "reject" ? t("common.reject") : t("common.requestChanges")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
