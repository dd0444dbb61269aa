// One ticket in the list: how serious, what, what it does, who, how long.
import { effectWords, isOpen, showInvisible, type Ticket, tierOfEffect, worstFirst } from "@hap/protocol";
import { ticketPath } from "../router.ts";
import { now } from "../state/clock.ts";
import type { Held } from "../state/held.ts";
import { Countdown } from "../ticket/countdown.tsx";
import { SafeText } from "../ticket/safe-text.tsx";
import { SeverityOf } from "../ticket/severity.tsx";
import { StateWord } from "../ticket/state-word.tsx";
import { AgentName } from "../ui/agent-name.tsx";
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
  const act = actOf(ticket);
  return (
    <div
      class={["row", `row-${ticket.tier}`, focused && "focused", open && "open", picked && "picked"].filter(Boolean).join(" ")}
      data-ticket={ticket.id}
    >
      {waiting && (
        <label class="pick">
          <input type="checkbox" checked={picked} onChange={onPick} />
          <span class="unseen">{t("inbox.row.select", { summary })}</span>
        </label>
      )}
      <a href={ticketPath(ticket.id)} class="row-link" onFocus={onFocus} aria-current={open ? "page" : undefined}>
        <SeverityOf ticket={ticket} />
        <span class="row-words">
          <span class="row-summary" translate={false}>
            <SafeText text={ticket.intent.summary} />
          </span>
          {act !== null && (
            <code class="row-act" translate={false}>
              <SafeText text={act} />
            </code>
          )}
          <span class="row-facts">
            <Effects ticket={ticket} />
            <AgentName id={ticket.from} />
            {ticket.project !== null && <span translate={false}>{showInvisible(baseName(ticket.project))}</span>}
            {ticket.to !== person && <span>{t("inbox.row.for", { to: shortName(ticket.to) })}</span>}
          </span>
        </span>
        <span class="row-side">
          <span class="age">{age}</span>
          {ticket.quorum !== undefined && waiting && (
            <span class="row-votes">{t("inbox.row.votes", { yes: ticket.quorum.yes, need: ticket.quorum.need })}</span>
          )}
          {waiting ? <Countdown held={held} /> : <StateWord ticket={ticket} />}
        </span>
      </a>
    </div>
  );
}

const ACT_CHARS = 160;

/** The command's first line, or the file; null where the summary says it all. */
function actOf({ intent: { details, kind }, ask }: Ticket): string | null {
  if (ask.type !== "approval") return null;
  const text = typeof details.command === "string" ? details.command : typeof details.file === "string" ? details.file : null;
  if (text === null) return plainKind(kind);
  const [first = ""] = text.split("\n", 1);
  return first.length < text.length || first.length > ACT_CHARS ? `${first.slice(0, ACT_CHARS)} …` : first;
}

/** What it does, worst first: two effects, and how many more. */
function Effects({ ticket }: { ticket: Ticket }) {
  if (ticket.ask.type !== "approval") return null;
  const all = worstFirst(ticket.effects);
  const risky = all.filter((effect) => tierOfEffect(effect) !== "routine");
  const shown = (risky.length > 0 ? risky : all).slice(0, 2);
  if (shown.length === 0) return null;
  const more = risky.length - shown.length;
  return (
    <span class={`row-effects effects-${tierOfEffect(shown[0] as string)}`}>
      <span translate={false}>{shown.map(effectWords).join(", ")}</span>
      {more > 0 && <> {t("inbox.row.moreEffects", { count: more })}</>}
    </span>
  );
}
