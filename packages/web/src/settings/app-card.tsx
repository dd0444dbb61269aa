// What the person chose for the desktop app. The app keeps it; in a browser there is no such card.
import { useSignal } from "@preact/signals";
import { type AppSettings, type Host, NOTIFY_FROM } from "../state/host.ts";
import { wordsOf } from "../state/session.ts";
import { t } from "../words/words.ts";
import { Card } from "./card.tsx";
import { useFetched } from "./use-fetched.ts";

const levels = {
  critical: t("settings.app.fromCritical"),
  high: t("settings.app.fromHigh"),
  normal: t("settings.app.fromNormal"),
  low: t("settings.app.fromLow"),
};

export function AppCard({ host }: { host: Host }) {
  const { value, failure, reload } = useFetched(host.settings);
  const problem = useSignal<string | null>(null);
  const change = async (changes: Partial<AppSettings>) => {
    if (value === null) return;
    problem.value = null;
    try {
      const { shortcut_problem } = await host.changeSettings({ ...value, autostart: null, ...changes });
      problem.value = shortcut_problem;
    } catch (error) {
      problem.value = wordsOf(error);
    }
    reload();
  };
  const words = failure ?? problem.value ?? value?.shortcut_problem ?? null;
  return (
    <Card title={t("settings.app.title")} about={t("settings.app.about")}>
      {words !== null && (
        <p class="problem" role="alert">
          {words}
        </p>
      )}
      {value !== null && (
        <>
          <label class="field">
            <span>{t("settings.app.notifyFrom")}</span>
            <select
              value={value.notify_from}
              disabled={value.paused}
              onChange={(event) => void change({ notify_from: event.currentTarget.value as AppSettings["notify_from"] })}
            >
              {NOTIFY_FROM.map((level) => (
                <option key={level} value={level}>
                  {levels[level]}
                </option>
              ))}
            </select>
          </label>
          <Choice label={t("settings.app.paused")} on={value.paused} set={(paused) => change({ paused })} />
          {value.autostart !== null && (
            <Choice label={t("settings.app.autostart")} on={value.autostart} set={(autostart) => change({ autostart })} />
          )}
          <Choice label={t("settings.app.keepInTray")} on={value.keep_in_tray} set={(keep_in_tray) => change({ keep_in_tray })} />
          <label class="field">
            <span>{t("settings.app.shortcut")}</span>
            <input
              type="text"
              spellcheck={false}
              value={value.shortcut}
              onChange={(event) => void change({ shortcut: event.currentTarget.value.trim() })}
            />
          </label>
        </>
      )}
    </Card>
  );
}

function Choice({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => Promise<void> }) {
  return (
    <label class="option">
      <input type="checkbox" checked={on} onChange={(event) => void set(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
