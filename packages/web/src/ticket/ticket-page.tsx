// One ticket, all of it, and what can be said to it.
import { isOpen, type LineComment, shortCode, showInvisible, type Ticket } from "@hap/protocol";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { ReviewContext } from "../diff/line-comments.tsx";
import { cursor, neighbour } from "../inbox/cursor.ts";
import { at, go, ticketPath } from "../router.ts";
import { now } from "../state/clock.ts";
import { secondsLeft } from "../state/held.ts";
import { me } from "../state/session.ts";
import { AgentName } from "../ui/agent-name.tsx";
import { ago, clockTime, countdown, shortName } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { useKeys } from "../ui/keys.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { t } from "../words/words.ts";
import { AlikeList } from "./alike-list.tsx";
import { AnswerForm, type AnswerProblem, type Draft, firstDraft } from "./answer-form.tsx";
import { Presentation, readingOwners } from "./blocks.tsx";
import { DecideBar } from "./decide-bar.tsx";
import { History } from "./history.tsx";
import { OutcomeBanner } from "./outcome-banner.tsx";
import { mayVote, QuorumCard } from "./quorum-card.tsx";
import { ReadingContext, useReading } from "./reading.ts";
import { RiskCard } from "./risk-card.tsx";
import { SeverityOf } from "./severity.tsx";
import { StateWord } from "./state-word.tsx";
import { type OpenTicket, useTicket } from "./use-ticket.ts";

export function TicketPage({ id }: { id: string }) {
  const open = useTicket(id);
  useKeys({ back: () => go(at("/")), nextFile: () => jumpToFile(1), previousFile: () => jumpToFile(-1) });
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

/** Scroll to the diff's next file, or the one before. */
function jumpToFile(by: 1 | -1): void {
  const box = document.querySelector<HTMLElement>(".detail-scroll");
  if (box === null) return;
  const top = box.getBoundingClientRect().top;
  const files = [...box.querySelectorAll<HTMLElement>(".diff-file")];
  const places = files.map((file) => Math.round(file.getBoundingClientRect().top - top));
  const at = by === 1 ? places.findIndex((place) => place > 2) : places.findLastIndex((place) => place < -2);
  files[at]?.scrollIntoView({ block: "start" });
}

function BackLink() {
  return (
    <a class="back-link" href={at("/")}>
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
  const problem = useSignal<AnswerProblem | null>(null);
  const review = useSignal<readonly LineComment[]>([]);
  const { box, reading } = useReading(readingOwners(ticket));
  const context = useMemo(() => ({ reading, prefix: "" }), [reading]);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
  }, [box]);
  return (
    <article class="detail-pane" aria-label={t("ticket.about", { summary: showInvisible(ticket.intent.summary) })}>
      <h1 class="unseen">{t("ticket.heading", { id: shortCode(ticket.id) })}</h1>
      <header class="detail-header">
        <BackLink />
        <SeverityOf ticket={ticket} />
        {!waiting && <StateWord ticket={ticket} />}
        <span class="detail-who">
          <AgentName id={ticket.from} /> · {ago(now.value - Date.parse(ticket.created_at))} ·{" "}
          <span translate={false}>{shortCode(ticket.id)}</span>
        </span>
      </header>
      <ScrollRegion class="scroll detail-scroll" box={box} label={t("ticket.region")}>
        <div class="detail-body">
          <OutcomeBanner ticket={ticket} elsewhere={open.endedElsewhere} />
          {!waiting && next.current !== null && next.current !== ticket.id && <NextLink id={next.current} />}
          {ticket.quorum !== undefined && <QuorumCard quorum={ticket.quorum} waiting={waiting} />}
          {waiting && ticket.to !== me().person && ticket.quorum === undefined && (
            <p class="hold-note">{t("ticket.forSomebodyElse", { to: shortName(ticket.to) })}</p>
          )}
          <ReadingContext.Provider value={context}>
            <ReviewContext.Provider value={waiting && mayDecide(ticket) && ticket.ask.type === "approval" ? review : null}>
              <Presentation
                ticket={ticket}
                answer={<Answering ticket={ticket} draft={draft} problem={problem} />}
                countdown={waiting ? <Timer open={open} held={held} /> : null}
                evidence={<MoreEvidence ticket={ticket} open={open} />}
              />
            </ReviewContext.Provider>
          </ReadingContext.Provider>
          <section class="more-section">
            <h2>{t("ticket.alike.title")}</h2>
            <AlikeList ticket={ticket} />
          </section>
        </div>
      </ScrollRegion>
      {waiting && mayDecide(ticket) && (
        <DecideBar
          held={held}
          reading={reading}
          draft={ticket.ask.type === "approval" ? null : draft}
          problem={problem}
          review={review}
          settle={open.settle}
          expectEnd={open.expectEnd}
        />
      )}
    </article>
  );
}

/** What the runtime knows beside the presentation: how the number came about, and what happened so far. */
function MoreEvidence({ ticket, open }: { ticket: Ticket; open: OpenTicket }) {
  return (
    <>
      {ticket.ask.type === "approval" && (
        <section class="more-section">
          <h3>{t("ticket.risk.title")}</h3>
          <RiskCard ticket={ticket} />
        </section>
      )}
      <section class="more-section">
        <h3>{t("ticket.history.title")}</h3>
        <History events={open.history} />
      </section>
    </>
  );
}

function Answering({ ticket, draft, problem }: { ticket: Ticket; draft: Signal<Draft>; problem: Signal<AnswerProblem | null> }) {
  if (ticket.ask.type === "approval" || !isOpen(ticket.state)) return null;
  return <AnswerForm ask={ticket.ask} draft={draft} problem={problem.value} />;
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
        {t("ticket.next")} <kbd>Enter</kbd>
      </a>
    </p>
  );
}

/** An auditor reads what is not theirs, and decides nothing of it; of several people, those who are asked decide. */
function mayDecide({ to, quorum }: Pick<Ticket, "to" | "quorum">): boolean {
  if (quorum !== undefined) return mayVote(quorum, me().person);
  return me().role !== "auditor" || to === me().person;
}

/** How long until it ends by itself, or that the timer is paused; beside what then happens. */
function Timer({ open, held }: { open: OpenTicket; held: NonNullable<OpenTicket["held"]> }) {
  const { ticket } = held;
  const { lease } = ticket;
  const left = countdown(secondsLeft(held, now.value));
  if (lease.snoozed_until !== null && Date.parse(lease.snoozed_until) > now.value)
    return <p class="timer">{t("ticket.timer.snoozed", { at: clockTime(Date.parse(lease.snoozed_until)) })}</p>;
  if (ticket.state === "ACKED") {
    const lapses = lease.ack_lapses_at;
    return (
      <p class="timer paused">
        <Icon name="pause" />{" "}
        {lapses === null
          ? t("ticket.timer.paused", { left })
          : t("ticket.timer.pausedFor", { review: countdown((Date.parse(lapses) - now.value) / 1000), left })}
      </p>
    );
  }
  const urgent = secondsLeft(held, now.value) < 60;
  return (
    <p class={urgent ? "timer urgent" : "timer"}>
      <Icon name="clock" /> {t(`ticket.timer.${lease.on_timeout}`, { left })}
      {ticket.to === me().person && (
        <button type="button" class="quiet" onClick={() => void open.holdOn()}>
          {t("ticket.timer.pause")}
        </button>
      )}
    </p>
  );
}
