// One ticket in the list: what, who, where, how risky, how long.
import { isOpen, showInvisible } from "@hap/protocol";
import { ticketPath } from "../router.ts";
import { now } from "../state/clock.ts";
import type { Held } from "../state/held.ts";
import { Countdown } from "../ticket/countdown.tsx";
import { RiskBadge } from "../ticket/risk-badge.tsx";
import { SafeText } from "../ticket/safe-text.tsx";
import { StateWord } from "../ticket/state-word.tsx";
import { baseName, plainKind, shortName, span } from "../ui/format.ts";
import { t } from "../words/words.ts";

type Props = {
  held: Held;
  person: string;
  focused: boolean;
  open: boolean;
  picked: boolean;
  onPick: () => void;
  onFocus: () => void;
};

export function Row({ held, person, focused, open, picked, onPick, onFocus }: Props) {
  const { ticket } = held;
  const waiting = isOpen(ticket.state);
  const summary = showInvisible(ticket.intent.summary);
  const age = span(now.value - Date.parse(waiting ? ticket.created_at : (ticket.resolution?.at ?? ticket.updated_at)));
  return (
    <div
      class={["row", focused && "focused", open && "open", picked && "picked"].filter(Boolean).join(" ")}
      data-ticket={ticket.id}
    >
      {waiting && (
        <label class="pick">
          <input type="checkbox" checked={picked} onChange={onPick} />
          <span class="unseen">{t("inbox.row.selectSummary", { summary })}</span>
        </label>
      )}
      <a href={ticketPath(ticket.id)} class="row-link" onFocus={onFocus} aria-current={open ? "page" : undefined}>
        <RiskBadge risk={ticket.risk} />
        <span class="row-words">
          <span class="row-summary" translate={false}>
            <SafeText text={ticket.intent.summary} />
          </span>
          <span class="row-facts">
            {ticket.tier === "critical" && <span class="critical">{t("common.critical")}</span>}
            <span translate={false}>{shortName(ticket.from)}</span>
            <span translate={false}>{ticket.ask.type === "approval" ? plainKind(ticket.intent.kind) : "question"}</span>
            {ticket.project !== null && <span translate={false}>{showInvisible(baseName(ticket.project))}</span>}
            {ticket.to !== person && <span>{t("inbox.row.forTo", { to: shortName(ticket.to) })}</span>}
          </span>
        </span>
        <span class="row-side">
          <span class="age">{age}</span>
          {waiting ? <Countdown held={held} /> : <StateWord ticket={ticket} />}
        </span>
      </a>
    </div>
  );
}
