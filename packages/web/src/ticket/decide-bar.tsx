// Where a ticket is decided. The no stands first; a yes opens only when everything above was in view.
import { editableParts, isHapError, LIMITS, parseAnswer, type Ticket } from "@hap/protocol";
import { type Signal, useSignal } from "@preact/signals";
import { now } from "../state/clock.ts";
import { type Held, secondsLeft } from "../state/held.ts";
import { me, signedOut, wordsOf } from "../state/session.ts";
import { say } from "../state/toasts.ts";
import { Icon } from "../ui/icons.tsx";
import { useKeys } from "../ui/keys.ts";
import { t } from "../words/words.ts";
import type { Draft } from "./answer-form.tsx";
import { EditDialog } from "./edit-form.tsx";
import { PasskeyDialog } from "./passkey-dialog.tsx";
import { PhraseDialog } from "./phrase-dialog.tsx";
import { RejectDialog } from "./reject-dialog.tsx";
import { SnoozeDialog } from "./snooze-dialog.tsx";
import { SshDialog } from "./ssh-dialog.tsx";
import type { Yes } from "./yes.ts";

type Opened =
  | null
  | { name: "reject" | "changes" | "snooze" | "edit" }
  | { name: "phrase"; yes: Yes; phrase: string; after: "send" | "sign" }
  | { name: "ssh"; phrase: string }
  | { name: "passkey"; yes: Yes; phrase?: string };

type Props = {
  held: Held;
  /** Everything was in view. */
  read: boolean;
  draft: Signal<Draft> | null;
  problem: Signal<string | null>;
  settle: (ticket: Ticket) => void;
};

/** In the last minute more time is one press away. */
const LAST_SECONDS = 60;

export function DecideBar({ held, read, draft, problem, settle }: Props) {
  const { ticket } = held;
  const opened = useSignal<Opened>(null);
  const comment = useSignal("");
  const busy = useSignal(false);
  const close = () => {
    opened.value = null;
  };
  const run = async (work: () => Promise<Ticket>) => {
    if (busy.value) return;
    busy.value = true;
    try {
      settle(await work());
      close();
    } catch (error) {
      failed(error);
    } finally {
      busy.value = false;
    }
  };
  const failed = (error: unknown) => {
    if (signedOut(error)) return;
    if (isHapError(error) && error.code === "invalid_answer") problem.value = error.message;
    if (isHapError(error) && ["already_decided", "deadline_passed", "wrong_state"].includes(error.code)) {
      close();
      // The live line says the same; without it the ticket is fetched here.
      me()
        .getTicket(ticket.id)
        .then(settle, () => {});
    }
    say(wordsOf(error), { tone: "bad" });
  };
  const words = () => (comment.value.trim() === "" ? {} : { comment: comment.value.trim() });
  const sendYes = (yes: Yes, typed: { phrase?: string }) => {
    const options = { ...typed, ...(yes.edits === undefined ? {} : { edits: yes.edits }) };
    return yes.answer === undefined
      ? me().approve(ticket.id, yes.comment, options)
      : me().answer(ticket.id, yes.answer, { ...options, ...(yes.comment === undefined ? {} : { comment: yes.comment }) });
  };
  // A no never needs more than a click; what a yes needs, the server says (D3).
  const sayYes = async (yes: Yes) => {
    if (ticket.tier !== "critical") return run(() => sendYes(yes, {}));
    try {
      const { signature, confirmed } = await me().needed(ticket.id);
      if (confirmed) opened.value = await askPhrase(yes, signature !== null);
      else if (signature !== null) opened.value = { name: "passkey", yes };
      else await run(() => sendYes(yes, {}));
    } catch (error) {
      failed(error);
    }
  };
  /** The server issues the phrase. Whoever has SSH keys alone types it beside their signature, in a terminal. */
  const askPhrase = async (yes: Yes, signed: boolean): Promise<Opened> => {
    const passkey =
      !signed || (await me().credentials()).some(({ kind, revoked_at }) => kind === "passkey" && revoked_at === null);
    const { phrase } = await me().issuePhrase(ticket.id, yes.answer === undefined ? "approve" : "answer");
    return passkey ? { name: "phrase", yes, phrase, after: signed ? "sign" : "send" } : { name: "ssh", phrase };
  };
  const approve = () => {
    if (!read) return say(t("ticket.decideBar.readItToItsEnd"));
    void sayYes(words());
  };
  const answer = () => {
    if (draft === null || ticket.ask.type === "approval") return;
    try {
      problem.value = null;
      void sayYes({ ...words(), answer: parseAnswer(ticket.ask, draft.value) });
    } catch (error) {
      failed(error);
    }
  };
  const open = (name: "reject" | "changes" | "snooze" | "edit") => () => {
    opened.value = { name };
  };
  const question = ticket.ask.type !== "approval";
  const editable = editableParts(ticket).length > 0;
  const late = !ticket.lease.paused && secondsLeft(held, now.value) < LAST_SECONDS;
  const more = () => void run(() => me().extend(ticket.id, 300));
  useKeys({
    r: open("reject"),
    s: open("snooze"),
    ...(question ? {} : { a: approve, c: open("changes") }),
    ...(editable ? { e: open("edit") } : {}),
    ...(late ? { "+": more } : {}),
  });
  return (
    <fieldset class="decide-bar" aria-label={t("ticket.decideBar.decide")}>
      <input
        class="comment"
        type="text"
        placeholder={t("ticket.decideBar.addACommentForThe")}
        aria-label={t("ticket.decideBar.commentForTheAgent")}
        maxLength={LIMITS.commentChars}
        value={comment.value}
        onInput={(event) => {
          comment.value = event.currentTarget.value;
        }}
      />
      <div class="decide-buttons">
        <button type="button" class="bad" disabled={busy.value} onClick={open("reject")} aria-keyshortcuts="r">
          <Icon name="cross" /> {t("common.reject")} <kbd>r</kbd>
        </button>
        {!question && (
          <button type="button" class="changed" disabled={busy.value} onClick={open("changes")} aria-keyshortcuts="c">
            {t("ticket.decideBar.changes")} <kbd>c</kbd>
          </button>
        )}
        {editable && (
          <button type="button" disabled={busy.value || !read} onClick={open("edit")} aria-keyshortcuts="e">
            <Icon name="pencil" /> {t("ticket.decideBar.edit")} <kbd>e</kbd>
          </button>
        )}
        <button type="button" disabled={busy.value} onClick={open("snooze")} aria-keyshortcuts="s">
          {t("common.notNow")} <kbd>s</kbd>
        </button>
        {late && (
          <button type="button" class="more-time" disabled={busy.value} onClick={more}>
            {t("ticket.decideBar.5Min")}
          </button>
        )}
        {question ? (
          <button type="button" class="good" disabled={busy.value || (ticket.tier === "critical" && !read)} onClick={answer}>
            {t("ticket.decideBar.sendAnswer")}
          </button>
        ) : (
          <button
            type="button"
            class="good"
            disabled={busy.value || !read}
            onClick={approve}
            aria-keyshortcuts="a"
            title={read ? undefined : t("ticket.decideBar.scrollToTheEndFirst")}
          >
            <Icon name="check" /> {read ? t("common.approve") : t("common.readToTheEnd")} <kbd>a</kbd>
          </button>
        )}
      </div>
      <Opened
        held={held}
        opened={opened}
        busy={busy.value}
        close={close}
        run={run}
        sayYes={sayYes}
        sendYes={sendYes}
        words={words}
      />
    </fieldset>
  );
}

type OpenedProps = {
  held: Held;
  opened: Signal<Opened>;
  busy: boolean;
  close: () => void;
  run: (work: () => Promise<Ticket>) => Promise<void>;
  sayYes: (yes: Yes) => Promise<void>;
  sendYes: (yes: Yes, typed: { phrase?: string }) => Promise<Ticket>;
  words: () => { comment?: string };
};

function Opened({ held: { ticket }, opened, busy, close, run, sayYes, sendYes, words }: OpenedProps) {
  const { value } = opened;
  const shared = { busy, onClose: close };
  switch (value?.name) {
    case undefined:
      return null;
    case "reject":
      return (
        <RejectDialog
          {...shared}
          kind="reject"
          title={t("common.reject")}
          onSend={(reason) => run(() => me().reject(ticket.id, reason || words().comment))}
        />
      );
    case "changes":
      return (
        <RejectDialog
          {...shared}
          kind="changes"
          title={t("common.requestChanges")}
          onSend={(wish) => run(() => me().requestChanges(ticket.id, wish))}
        />
      );
    case "snooze":
      return <SnoozeDialog {...shared} onSnooze={(seconds) => run(() => me().snooze(ticket.id, seconds))} />;
    case "edit":
      return <EditDialog {...shared} ticket={ticket} onApprove={(edits) => void sayYes({ ...words(), edits })} />;
    case "phrase":
      return (
        <PhraseDialog
          {...shared}
          what={ticket.intent.kind === "question" ? t("ticket.decideBar.answerIsFinal") : t("ticket.decideBar.yesIsFinal")}
          phrase={value.phrase}
          action={value.yes.answer === undefined ? t("common.approve") : t("ticket.decideBar.sendAnswer")}
          onConfirm={(phrase) => {
            if (value.after === "send") void run(() => sendYes(value.yes, { phrase }));
            else opened.value = { name: "passkey", yes: value.yes, phrase };
          }}
        />
      );
    case "ssh":
      return <SshDialog ticket={ticket} phrase={value.phrase} onClose={close} />;
    case "passkey":
      return <PasskeyDialog {...shared} ticket={ticket} yes={value.yes} phrase={value.phrase} run={run} />;
  }
}
