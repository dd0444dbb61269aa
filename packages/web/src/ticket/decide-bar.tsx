// The action bar of a ticket, always in view. The no stands first; a yes opens when the whole action was in view. In a narrow
// pane everything but the two answers folds into one menu; the menu is also where "always allow" and "always deny" belong.
import { editableParts, type KeyAction, keyLabel, LIMITS, type LineComment, type Ticket } from "@hap/protocol";
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { now } from "../state/clock.ts";
import { type Held, secondsLeft } from "../state/held.ts";
import { me } from "../state/session.ts";
import { say } from "../state/toasts.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { useKeys } from "../ui/keys.ts";
import { useLazy } from "../ui/use-lazy.ts";
import { t } from "../words/words.ts";
import type { AnswerProblem, Draft } from "./answer-form.tsx";
import type { Reading } from "./reading.ts";
import { type Deciding, useDeciding } from "./use-deciding.ts";

type Props = {
  held: Held;
  reading: Reading;
  draft: Signal<Draft> | null;
  problem: Signal<AnswerProblem | null>;
  settle: (ticket: Ticket) => void;
  expectEnd: (expected: boolean) => void;
  /** Comments on lines of the diff, for "Request changes". */
  review: Signal<readonly LineComment[]>;
};

/** In the last minute more time is one press away. */
const LAST_SECONDS = 60;

type Action = { action: KeyAction; label: string; icon: IconName; tone: string; disabled: boolean; run: () => void };

export function DecideBar({ held, reading, draft, problem, settle, expectEnd, review }: Props) {
  const { ticket } = held;
  const deciding = useDeciding({ ticket, draft, problem, settle, expectEnd });
  const { opened, comment, held: heldYes, busy, run, words, sayYes, answer } = deciding;
  const left = reading.left.value;
  const read = left === 0;
  const question = ticket.ask.type !== "approval";
  const approve = () => {
    if (!read) {
      reading.showNext();
      return say(t("ticket.bar.readFirst"));
    }
    void sayYes(words());
  };
  const open = (name: "reject" | "changes" | "snooze" | "edit" | "always-allow" | "always-deny") => () => {
    opened.value = { name };
  };
  const late = !ticket.lease.paused && secondsLeft(held, now.value) < LAST_SECONDS;
  const more = () => void run(() => me().extend(ticket.id, 300));
  const editable = editableParts(ticket).length > 0;
  const actions: Action[] = [
    ...(question
      ? []
      : [
          {
            action: "changes" as const,
            label: t("common.requestChanges"),
            icon: "talk" as const,
            tone: "changed",
            run: open("changes"),
          },
        ]),
    ...(editable
      ? [
          {
            action: "edit" as const,
            label: t("ticket.bar.edit"),
            icon: "pencil" as const,
            tone: "",
            disabled: !read,
            run: open("edit"),
          },
        ]
      : []),
    { action: "snooze" as const, label: t("common.snooze"), icon: "moon" as const, tone: "", run: open("snooze") },
  ].map((action) => ({ disabled: false, ...action }));
  useKeys(
    heldYes !== null
      ? {}
      : {
          reject: open("reject"),
          ...Object.fromEntries(actions.filter(({ disabled }) => !disabled).map(({ action, run: act }) => [action, act])),
          ...(question ? { approve: answer, option: chooseOption } : { approve }),
          ...(late ? { moreTime: more } : {}),
        },
  );
  if (heldYes !== null) return <HeldBar held={heldYes} />;
  return (
    <fieldset class="decide-bar" aria-label={t("ticket.bar.label")}>
      <button type="button" class="bad" disabled={busy.value} onClick={open("reject")} aria-keyshortcuts={keyLabel("reject")}>
        <Icon name="cross" /> <span>{t("common.reject")}</span> <kbd>{keyLabel("reject")}</kbd>
      </button>
      <div class="bar-actions">
        {actions.map((action) => (
          <ActionButton action={action} busy={busy.value} key={action.action} />
        ))}
      </div>
      <MoreMenu actions={actions} busy={busy.value} comment={comment} grants={!question}>
        {!question && ticket.tier !== "critical" && (
          <button type="button" disabled={busy.value} onClick={open("always-allow")}>
            {t("grants.allow")}
          </button>
        )}
        {!question && (
          <button type="button" disabled={busy.value} onClick={open("always-deny")}>
            {t("grants.deny")}
          </button>
        )}
      </MoreMenu>
      {late && (
        <button type="button" class="more-time" disabled={busy.value} onClick={more} aria-keyshortcuts={keyLabel("moreTime")}>
          {t("ticket.bar.moreTime")}
        </button>
      )}
      <CommentField comment={comment} />
      {question ? (
        <button
          type="button"
          class="good"
          disabled={busy.value || (ticket.tier === "critical" && !read)}
          onClick={answer}
          aria-keyshortcuts={keyLabel("approve")}
        >
          {t("ticket.answer.send")} <kbd>{keyLabel("approve")}</kbd>
        </button>
      ) : (
        <button
          type="button"
          class={read ? "good" : "good waits"}
          disabled={busy.value}
          aria-disabled={!read}
          onClick={approve}
          aria-keyshortcuts={keyLabel("approve")}
          title={read ? undefined : t("ticket.bar.readFirst")}
        >
          <Icon name={read ? "check" : "eye"} />{" "}
          <span>
            {read ? t("common.approve") : left === null ? t("common.loading") : t("ticket.bar.unseen", { count: left })}
          </span>{" "}
          <kbd>{keyLabel("approve")}</kbd>
        </button>
      )}
      <Dialogs ticket={ticket} deciding={deciding} review={review} />
    </fieldset>
  );
}

const dialogs = () => import("./decide-dialogs.tsx").then((part) => part.DecideDialogs);

/** Fetched with the first ticket, so that the list comes sooner. */
function Dialogs(props: { ticket: Ticket; deciding: Deciding; review: Signal<readonly LineComment[]> }) {
  const loaded = useLazy(dialogs);
  return loaded.status === "ready" ? <loaded.part {...props} /> : null;
}

/** In place of the buttons while the server holds the yes. */
function HeldBar({ held }: { held: NonNullable<Deciding["held"]> }) {
  return (
    <fieldset class="decide-bar held-bar" aria-label={t("ticket.bar.label")}>
      <p role="status">
        <Icon name="check" /> {t("ticket.held.bar", { seconds: Math.max(0, Math.ceil((held.until - now.value) / 1000)) })}
      </p>
      <button type="button" data-first onClick={() => void held.undo()} aria-keyshortcuts={keyLabel("undo")}>
        {t("inbox.batch.undo")} <kbd>{keyLabel("undo")}</kbd>
      </button>
    </fieldset>
  );
}

/** Choose an option of the question by its number; the first list of options is meant. */
function chooseOption(digit: string): void {
  document.querySelector<HTMLInputElement>(`.answer [data-digit="${digit}"]`)?.click();
}

function CommentField({ comment }: { comment: Signal<string> }) {
  return (
    <input
      class="comment"
      type="text"
      placeholder={t("ticket.bar.commentHint")}
      aria-label={t("ticket.bar.comment")}
      maxLength={LIMITS.commentChars}
      value={comment.value}
      onInput={(event) => {
        comment.value = event.currentTarget.value;
      }}
    />
  );
}

function ActionButton({ action, busy }: { action: Action; busy: boolean }) {
  return (
    <button
      type="button"
      class={action.tone}
      disabled={busy || action.disabled}
      onClick={action.run}
      aria-keyshortcuts={keyLabel(action.action)}
    >
      <Icon name={action.icon} /> <span>{action.label}</span> <kbd>{keyLabel(action.action)}</kbd>
    </button>
  );
}

/** Shown in a narrow pane in place of the single buttons. */
type MenuProps = { actions: Action[]; busy: boolean; comment: Signal<string>; grants: boolean; children: ComponentChildren };

function MoreMenu({ actions, busy, comment, grants, children }: MenuProps) {
  const open = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open.value) return;
    const away = (event: Event) => {
      const inside = event.target instanceof Node && box.current?.contains(event.target);
      if (!inside || (event instanceof KeyboardEvent && event.key === "Escape")) open.value = false;
    };
    addEventListener("pointerdown", away);
    addEventListener("keydown", away);
    return () => {
      removeEventListener("pointerdown", away);
      removeEventListener("keydown", away);
    };
  }, [open.value]);
  return (
    <div class={grants ? "more-menu" : "more-menu only-narrow"} ref={box}>
      <button
        type="button"
        aria-expanded={open.value}
        aria-controls="more-actions"
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="more" /> <span>{t("ticket.bar.more")}</span>
      </button>
      {open.value && (
        <div class="more-actions" id="more-actions">
          <CommentField comment={comment} />
          {actions.map((action) => (
            <ActionButton
              action={{
                ...action,
                tone: `${action.tone} in-bar`,
                run: () => {
                  open.value = false;
                  action.run();
                },
              }}
              busy={busy}
              key={action.action}
            />
          ))}
          {children}
        </div>
      )}
    </div>
  );
}
