// How much time is left, and what happens then.
import { isOpen, type Ticket } from "@hap/protocol";
import { now } from "../state/clock.ts";
import { type Held, secondsLeft } from "../state/held.ts";
import { countdown } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { t } from "../words/words.ts";

/** What the end of the lease does, in words. */
const TIMEOUT_WORDS: Record<Ticket["lease"]["on_timeout"], string> = {
  auto_reject: t("ticket.countdown.thenItIsRejected"),
  auto_approve: t("ticket.countdown.thenItApprovesItself"),
  cancel: t("ticket.countdown.thenItIsCanceled"),
};

export function Countdown({ held, long = false }: { held: Held; long?: boolean }) {
  const { ticket } = held;
  if (!isOpen(ticket.state)) return null;
  const left = secondsLeft(held, now.value);
  const tone = ticket.lease.paused ? "paused" : left < 60 ? "urgent" : left < 300 ? "soon" : "calm";
  return (
    <span class={`countdown ${tone}`}>
      <Icon name={ticket.lease.paused ? "pause" : "clock"} />
      <span class="digits">{countdown(left)}</span>
      {long && (
        <span>
          {" "}
          {ticket.lease.paused
            ? t("ticket.countdown.leftOnHold")
            : t("ticket.countdown.leftValue", { value: TIMEOUT_WORDS[ticket.lease.on_timeout] })}
        </span>
      )}
      {!long && ticket.lease.paused && <span class="unseen"> {t("ticket.countdown.onHold")}</span>}
    </span>
  );
}
