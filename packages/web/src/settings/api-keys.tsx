// Keys by which agents come in. A secret is shown once, here, and is nowhere afterwards.
import { useSignal } from "@preact/signals";
import { me } from "../state/session.ts";
import { say } from "../state/toasts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { moment, usedWords } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { Card } from "./card.tsx";
import { useFetched } from "./use-fetched.ts";

const loadKeys = () => me().listKeys();

export function ApiKeys() {
  const { value, failure, change } = useFetched(loadKeys);
  const agent = useSignal("agent:");
  const secret = useSignal<string | null>(null);
  const show = ({ key }: { key: string }) => {
    secret.value = key;
  };
  const inUse = value?.filter(({ revoked_at }) => revoked_at === null) ?? [];
  return (
    <Card title={t("settings.apiKeys.title")} about={t("settings.apiKeys.about")}>
      {failure !== null && <p class="problem">{failure}</p>}
      <ul class="things">
        {inUse.map((key) => (
          <li class="thing" key={key.id}>
            <span class="thing-words">
              <strong translate={false}>{key.agent}</strong>
              <span class="quiet-words">
                <span translate={false}>{key.scopes.join(", ")}</span>
                {" · "}
                {usedWords(key.last_used_at)}
                {key.expires_at !== null && ` · ${t("settings.apiKeys.until", { at: moment(key.expires_at) })}`}
              </span>
            </span>
            <button type="button" class="quiet" onClick={() => void change(() => me().rotateKey(key.id).then(show))}>
              {t("settings.apiKeys.renew")}
            </button>
            <button type="button" class="quiet" onClick={() => void change(() => me().revokeKey(key.id))}>
              {t("common.revoke")}
            </button>
          </li>
        ))}
      </ul>
      {value !== null && inUse.length === 0 && <p class="quiet-words">{t("common.noneYet")}</p>}
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void change(() => me().createKey({ agent: agent.value.trim() }).then(show));
        }}
      >
        <label class="field">
          <span>{t("common.agent")}</span>
          <input
            type="text"
            spellcheck={false}
            value={agent.value}
            onInput={(event) => {
              agent.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit" disabled={!/^agent:.+/.test(agent.value.trim())}>
          {t("settings.apiKeys.create")}
        </button>
      </form>
      {secret.value !== null && (
        <Dialog
          title={t("settings.apiKeys.secretTitle")}
          onClose={() => {
            secret.value = null;
          }}
        >
          <p>{t("settings.apiKeys.secretAbout")}</p>
          <pre class="code">{secret.value}</pre>
          <div class="dialog-actions">
            <button
              type="button"
              onClick={() => void navigator.clipboard.writeText(secret.value ?? "").then(() => say(t("settings.apiKeys.copied")))}
            >
              {t("settings.apiKeys.copy")}
            </button>
            <button
              type="button"
              data-first
              onClick={() => {
                secret.value = null;
              }}
            >
              {t("settings.apiKeys.secretDone")}
            </button>
          </div>
        </Dialog>
      )}
    </Card>
  );
}
