// What a device that was just paired is offered: notifications, with as much of a ticket as the person allows, and the app.
import { useSignal } from "@preact/signals";
import { switchPushOn } from "./push.ts";
import { install, installable } from "./state/install.ts";
import { sayFailure } from "./state/say-failure.ts";
import { justPaired } from "./state/session.ts";
import { t } from "./words/words.ts";

export function PairedBanner() {
  const summary = useSignal(true);
  if (!justPaired.value) return null;
  const done = () => {
    justPaired.value = false;
  };
  const notify = async () => {
    try {
      await switchPushOn(summary.value);
      done();
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <section class="paired-banner" aria-label={t("paired.title")}>
      <p>
        <strong>{t("paired.title")}</strong> {t("paired.about")}
      </p>
      <label class="option">
        <input
          type="checkbox"
          checked={summary.value}
          onChange={(event) => {
            summary.value = event.currentTarget.checked;
          }}
        />
        <span>{t("settings.push.summary")}</span>
      </label>
      <div class="button-row">
        <button type="button" class="primary" onClick={() => void notify()}>
          {t("paired.notify")}
        </button>
        {installable.value && (
          <button type="button" onClick={() => void install()}>
            {t("settings.devices.install")}
          </button>
        )}
        <button type="button" class="quiet" onClick={done}>
          {t("paired.later")}
        </button>
      </div>
    </section>
  );
}
