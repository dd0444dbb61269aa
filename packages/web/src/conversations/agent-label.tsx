// What a person calls an agent, and the group that they put it into.
import type { AgentCard } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { sayFailure } from "../state/say-failure.ts";
import { me } from "../state/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { shortName } from "../ui/format.ts";
import { t } from "../words/words.ts";

/** The most characters of a label or a group. */
const MOST = 100;

type Props = { card: AgentCard; groups: readonly string[]; onClose: () => void };

export function LabelDialog({ card, groups, onClose }: Props) {
  const name = useSignal(card.name ?? "");
  const group = useSignal(card.group ?? "");
  const known = useId();
  const save = async () => {
    const words = (text: string) => (text.trim() === "" ? null : text.trim());
    try {
      await me().labelAgent(card.agent, { name: words(name.value), group: words(group.value) });
      onClose();
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Dialog title={t("conversations.label.title", { agent: shortName(card.agent) })} onClose={onClose}>
      <form
        class="label-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label class="field">
          <span>{t("conversations.label.name")}</span>
          <input
            type="text"
            maxLength={MOST}
            data-first
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        <label class="field">
          <span>{t("conversations.label.group")}</span>
          <input
            type="text"
            maxLength={MOST}
            list={known}
            value={group.value}
            onInput={(event) => {
              group.value = event.currentTarget.value;
            }}
          />
        </label>
        <datalist id={known}>
          {groups.map((one) => (
            <option value={one} key={one} />
          ))}
        </datalist>
        <p class="quiet-words">{t("conversations.label.hint")}</p>
        <div class="dialog-actions">
          <button type="button" class="quiet" onClick={onClose}>
            {t("conversations.queue.cancel")}
          </button>
          <button type="submit" class="primary">
            {t("conversations.queue.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
