// One ticket, all of it, and what can be said to it.
import { isOpen, present, shortCode, showInvisible } from "@hap/protocol";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { cursor, neighbour } from "../inbox/cursor.ts";
import { go, ticketPath } from "../router.ts";
import { now } from "../state/clock.ts";
import { me } from "../state/session.ts";
import { ago, clockTime, countdown, shortName } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { useKeys } from "../ui/keys.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { t } from "../words/words.ts";
import { AlikeList } from "./alike-list.tsx";
import { AnswerForm, type Draft, firstDraft } from "./answer-form.tsx";
import { Blocks } from "./blocks.tsx";
import { Countdown } from "./countdown.tsx";
import { DecideBar } from "./decide-bar.tsx";
import { History } from "./history.tsx";
import { OutcomeBanner } from "./outcome-banner.tsx";
import { RiskBadge } from "./risk-badge.tsx";
import { RiskCard } from "./risk-card.tsx";
import { StateWord } from "./state-word.tsx";
import { useRead } from "./use-read.ts";
import { type OpenTicket, useTicket } from "./use-ticket.ts";

export function TicketPage({ id }: { id: string }) {
  const open = useTicket(id);
  useKeys({ Escape: () => go("/") });
  if (open.failure !== null)
    return (
      <div class="detail-pane">
        <BackLink />
        <p class="empty" role="alert">
          {open.failure}
        </p>
      </div>
    );
  if (open.held === null)
    return (
      <div class="detail-pane">
        <p class="empty quiet-words">{t("common.loading")}</p>
      </div>
    );
  return <Shown key={id} open={open} held={open.held} />;
}

function BackLink() {
  return (
    <a class="back-link" href="/">
      <Icon name="back" /> {t("common.inbox")}
    </a>
  );
}

function Shown({ open, held }: { open: OpenTicket; held: NonNullable<OpenTicket["held"]> }) {
  const { ticket } = held;
  const waiting = isOpen(ticket.state);
  // The next ticket is remembered before this one leaves the list.
  const next = useRef<string | null>(null);
  if (waiting) next.current = neighbour(ticket.id);
  const draft = useSignal<Draft>(ticket.ask.type === "approval" ? { type: "text", text: "" } : firstDraft(ticket.ask));
  const problem = useSignal<string | null>(null);
  const { read, box, end, onDrawn } = useRead();
  const blocks = useMemo(() => present(ticket).blocks, [ticket.id, ticket.ticket_hash]);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
  }, [box]);
  return (
    <article class="detail-pane" aria-label={t("ticket.ticketPage.about", { summary: showInvisible(ticket.intent.summary) })}>
      <h1 class="unseen">{t("ticket.ticketPage.ticketId", { id: shortCode(ticket.id) })}</h1>
      <header class="detail-header">
        <BackLink />
        <RiskBadge risk={ticket.risk} words />
        {ticket.tier === "critical" && <span class="critical">{t("common.critical")}</span>}
        <StateWord ticket={ticket} />
        <Countdown held={held} long />
        <span class="detail-who">
          <span translate={false}>{shortName(ticket.from)}</span> · {ago(now.value - Date.parse(ticket.created_at))} ·{" "}
          <span translate={false}>{shortCode(ticket.id)}</span>
        </span>
      </header>
      <ScrollRegion class="scroll detail-scroll" box={box} label={t("ticket.ticketPage.theTicket")}>
        <div class="detail-body">
          <OutcomeBanner ticket={ticket} elsewhere={open.endedElsewhere} />
          {!waiting && next.current !== null && next.current !== ticket.id && <NextLink id={next.current} />}
          {waiting && <HoldNote open={open} held={held} />}
          <Blocks blocks={blocks} onDrawn={onDrawn} answer={<Answering ticket={ticket} draft={draft} problem={problem} />} />
          <div class="read-end" ref={end} />
          <section class="more-section">
            <h2>{t("common.risk")}</h2>
            <RiskCard ticket={ticket} />
          </section>
          <section class="more-section">
            <h2>{t("ticket.ticketPage.decidedBefore")}</h2>
            <AlikeList ticket={ticket} />
          </section>
          <section class="more-section">
            <h2>{t("ticket.ticketPage.history")}</h2>
            <History events={open.history} />
          </section>
        </div>
      </ScrollRegion>
      {waiting && mayDecide(ticket) && (
        <DecideBar
          held={held}
          read={read}
          draft={ticket.ask.type === "approval" ? null : draft}
          problem={problem}
          settle={open.settle}
        />
      )}
    </article>
  );
}

function Answering({
  ticket,
  draft,
  problem,
}: {
  ticket: NonNullable<OpenTicket["held"]>["ticket"];
  draft: Signal<Draft>;
  problem: Signal<string | null>;
}) {
  if (ticket.ask.type === "approval" || !isOpen(ticket.state)) return null;
  return <AnswerForm ask={ticket.ask} draft={draft} problem={problem.value} disabled={false} />;
}

function NextLink({ id }: { id: string }) {
  const ref = useRef<HTMLAnchorElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <p class="next-link">
      <a
        href={ticketPath(id)}
        ref={ref}
        onClick={() => {
          cursor.value = id;
        }}
      >
        {t("ticket.ticketPage.nextTicket")} <kbd>Enter</kbd>
      </a>
    </p>
  );
}

/** An auditor reads what is not theirs, and decides nothing of it. */
function mayDecide({ to }: { to: string }): boolean {
  return me().role !== "auditor" || to === me().person;
}

/** Whether the time stands still, and for whom. */
function HoldNote({ open, held: { ticket } }: { open: OpenTicket; held: NonNullable<OpenTicket["held"]> }) {
  if (ticket.to !== me().person)
    return <p class="hold-note">{t("ticket.ticketPage.thisIsForToYou", { to: shortName(ticket.to) })}</p>;
  if (ticket.lease.snoozed_until !== null && Date.parse(ticket.lease.snoozed_until) > now.value)
    return (
      <p class="hold-note">
        {t("ticket.ticketPage.putOffUntilValue", { value: clockTime(Date.parse(ticket.lease.snoozed_until)) })}
      </p>
    );
  if (ticket.state === "ACKED") {
    const lapses = ticket.lease.ack_lapses_at;
    return (
      <p class="hold-note">
        <Icon name="pause" />{" "}
        {lapses === null
          ? t("ticket.ticketPage.theTimeStandsStill")
          : t("ticket.ticketPage.theTimeStandsStillFor", { left: countdown((Date.parse(lapses) - now.value) / 1000) })}
      </p>
    );
  }
  return (
    <p class="hold-note">
      {t("ticket.ticketPage.theTimeRuns")}{" "}
      <button type="button" class="quiet" onClick={() => void open.holdOn()}>
        {t("ticket.ticketPage.holdItWhileILook")}
      </button>
    </p>
  );
}
