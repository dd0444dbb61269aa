// The keys, all of them, on one sheet.
import { Dialog } from "./ui/dialog.tsx";
import { t } from "./words/words.ts";

const keys: readonly [string, string][] = [
  ["j / k", t("help.nextPreviousTicket")],
  ["Enter", t("help.openTheTicket")],
  ["a", t("help.approveWhatIsOpenAnd")],
  ["1-9", t("help.chooseOption")],
  ["r", t("help.rejectWithWords")],
  ["c", t("help.requestChanges")],
  ["e", t("help.editThenApprove")],
  ["s", t("help.notNow")],
  ["+", t("help.fiveMoreMinutesInThe")],
  ["x", t("help.pickForABatch")],
  ["/", t("help.search")],
  ["Esc", t("help.backClearClose")],
  ["?", t("help.thisSheet")],
];

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t("common.keys")} onClose={onClose}>
      <dl class="key-list">
        {keys.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-actions">
        <button type="button" data-first onClick={onClose}>
          {t("common.back")}
        </button>
      </div>
    </Dialog>
  );
}
