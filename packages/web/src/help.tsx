// The keys of the page, from the one keymap.
import { keysOf } from "@hap/protocol";
import { Dialog } from "./ui/dialog.tsx";
import { shared, t } from "./words/words.ts";

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t("common.keys")} onClose={onClose}>
      <dl class="key-list">
        {keysOf("page").map(({ action, shown, words }) => (
          <div key={action}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{shared(words)}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href="/docs" target="_blank" rel="noreferrer">
          {t("help.documentation")}
        </a>
      </p>
      <div class="dialog-actions">
        <button type="button" data-first onClick={onClose}>
          {t("common.back")}
        </button>
      </div>
    </Dialog>
  );
}
