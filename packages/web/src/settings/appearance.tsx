// How it looks, and how it calls somebody who is not looking.
import { useSignal } from "@preact/signals";
import { ring } from "../notice.ts";
import { host } from "../state/host.ts";
import { prefer, preferences, type Theme } from "../state/preferences.ts";
import { t } from "../words/words.ts";
import { Card } from "./card.tsx";

const themes: readonly { name: Theme; label: string }[] = [
  { name: "system", label: t("settings.appearance.system") },
  { name: "light", label: t("settings.appearance.light") },
  { name: "dark", label: t("settings.appearance.dark") },
];

export function Appearance() {
  const { theme, sound, notify } = preferences.value;
  return (
    <Card title={t("settings.appearance.title")} about={t("settings.appearance.about")}>
      <fieldset class="choice-row">
        <legend>{t("settings.appearance.colours")}</legend>
        {themes.map(({ name, label }) => (
          <label class="option" key={name}>
            <input type="radio" name="theme" checked={theme === name} onChange={() => prefer({ theme: name })} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {host() === null && (
        <label class="option">
          <input type="checkbox" checked={notify} onChange={(event) => prefer({ notify: event.currentTarget.checked })} />
          <span>{t("settings.appearance.notify")}</span>
        </label>
      )}
      {host() === null && notify && <Permission />}
      <label class="option">
        <input
          type="checkbox"
          checked={sound}
          onChange={(event) => {
            prefer({ sound: event.currentTarget.checked });
            if (event.currentTarget.checked) ring();
          }}
        />
        <span>{t("settings.appearance.sound")}</span>
      </label>
    </Card>
  );
}

const UNDO_CHOICES = [0, 3, 5, 10, 30];

/** For how long a yes can be undone: the server holds it meanwhile, and the agent waits. */
export function UndoCard() {
  const { undoSeconds } = preferences.value;
  return (
    <Card title={t("settings.undo.title")} about={t("settings.undo.about")}>
      {(["routine", "notable"] as const).map((tier) => (
        <label class="field" key={tier}>
          <span>{t(`settings.undo.${tier}`)}</span>
          <select
            value={undoSeconds[tier]}
            onChange={(event) => prefer({ undoSeconds: { ...undoSeconds, [tier]: Number(event.currentTarget.value) } })}
          >
            {UNDO_CHOICES.map((seconds) => (
              <option value={seconds} key={seconds}>
                {seconds === 0 ? t("settings.undo.none") : t("settings.undo.seconds", { seconds })}
              </option>
            ))}
          </select>
        </label>
      ))}
    </Card>
  );
}

function Permission() {
  const permission = useSignal("Notification" in window ? Notification.permission : "denied");
  if (permission.value === "granted") return null;
  if (permission.value === "denied") return <p class="quiet-words">{t("settings.appearance.notificationsBlocked")}</p>;
  return (
    <p>
      <button
        type="button"
        onClick={() =>
          void Notification.requestPermission().then((answer) => {
            permission.value = answer;
          })
        }
      >
        {t("settings.appearance.allowNotifications")}
      </button>
    </p>
  );
}
