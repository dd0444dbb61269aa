// Not now: out of sight until a time, and the lease waits along.
import { useSignal } from "@preact/signals";
import { Dialog } from "../ui/dialog.tsx";
import { clockTime } from "../ui/format.ts";
import { t } from "../words/words.ts";

type Choice = { label: string; seconds: number };

/** Times that are often wanted, from a moment on. */
function snoozeChoices(now: number): Choice[] {
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(9, 0, 0, 0);
  return [
    { label: t("ticket.snoozeDialog.15Minutes"), seconds: 900 },
    { label: t("ticket.snoozeDialog.1Hour"), seconds: 3600 },
    { label: t("ticket.snoozeDialog.4Hours"), seconds: 14_400 },
    {
      label: t("ticket.snoozeDialog.tomorrowValue", { value: clockTime(morning.getTime()) }),
      seconds: Math.round((morning.getTime() - now) / 1000),
    },
  ];
}

type Props = { busy: boolean; onSnooze: (seconds: number) => void; onClose: () => void };

export function SnoozeDialog({ busy, onSnooze, onClose }: Props) {
  const minutes = useSignal("30");
  const own = Number(minutes.value);
  return (
    <Dialog title={t("common.notNow")} onClose={onClose}>
      <p class="quiet-words">{t("ticket.snoozeDialog.itLeavesYourInboxUntil")}</p>
      <div class="choices">
        {snoozeChoices(Date.now()).map(({ label, seconds }) => (
          <button type="button" key={label} disabled={busy} onClick={() => onSnooze(seconds)}>
            {label}
          </button>
        ))}
      </div>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          onSnooze(Math.round(own * 60));
        }}
      >
        <label class="field">
          <span>{t("ticket.snoozeDialog.minutesOfYourOwnChoice")}</span>
          <input
            type="number"
            min="1"
            max="10080"
            value={minutes.value}
            onInput={(event) => {
              minutes.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit" disabled={busy || !(own >= 1 && own <= 10_080)}>
          {t("ticket.snoozeDialog.putOff")}
        </button>
      </form>
      <div class="dialog-actions">
        <button type="button" data-first onClick={onClose}>
          {t("common.back")}
        </button>
      </div>
    </Dialog>
  );
}
