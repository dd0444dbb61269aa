// How much time is left on a ticket.
import { isOpen } from "@hap/protocol";
import { now } from "../state/clock.ts";
import { type Held, secondsLeft } from "../state/held.ts";
import { countdown } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { t } from "../words/words.ts";

export function Countdown({ held }: { held: Held }) {
  const { ticket } = held;
  if (!isOpen(ticket.state)) return null;
  const left = secondsLeft(held, now.value);
  const tone = ticket.lease.paused ? "paused" : left < 60 ? "urgent" : left < 300 ? "soon" : "calm";
  return (
    <span class={`countdown ${tone}`}>
      <Icon name={ticket.lease.paused ? "pause" : "clock"} />
      <span class="digits">{countdown(left)}</span>
      {ticket.lease.paused && <span class="unseen"> {t("ticket.timer.onHold")}</span>}
    </span>
  );
}
