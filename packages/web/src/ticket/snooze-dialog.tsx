// Not now: out of sight until a time, and the lease waits along.
import type { Ticket } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { Dialog } from "../ui/dialog.tsx";
import { clockTime } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { titleFor } from "./dialog-title.ts";

type Choice = { label: string; seconds: number };

/** Times that are often wanted, from a moment on. */
function snoozeChoices(now: number): Choice[] {
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(9, 0, 0, 0);
  return [
    { label: t("ticket.snooze.minutes15"), seconds: 900 },
    { label: t("ticket.snooze.hour1"), seconds: 3600 },
    { label: t("ticket.snooze.hours4"), seconds: 14_400 },
    {
      label: t("ticket.snooze.tomorrow", { at: clockTime(morning.getTime()) }),
      seconds: Math.round((morning.getTime() - now) / 1000),
    },
  ];
}

type Props = { ticket: Ticket; busy: boolean; onSnooze: (seconds: number) => void; onClose: () => void };

export function SnoozeDialog({ ticket, busy, onSnooze, onClose }: Props) {
  const minutes = useSignal("30");
  const own = Number(minutes.value);
  return (
    <Dialog title={titleFor(t("common.snooze"), ticket)} onClose={onClose}>
      <p class="quiet-words">{t("ticket.snooze.about")}</p>
      <div class="choices">
        {snoozeChoices(Date.now()).map(({ label, seconds }, at) => (
          <button
            type="button"
            key={label}
            {...(at === 0 ? { "data-first": true } : {})}
            disabled={busy}
            onClick={() => onSnooze(seconds)}
          >
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
          <span>{t("ticket.snooze.ownMinutes")}</span>
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
          {t("ticket.snooze.apply")}
        </button>
      </form>
      <div class="dialog-actions">
        <button type="button" onClick={onClose}>
          {t("common.back")}
        </button>
      </div>
    </Dialog>
  );
}
