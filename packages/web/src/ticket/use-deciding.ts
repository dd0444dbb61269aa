// How a decision is made: what a yes needs (D3), what is sent, and what happens when it is refused.
import { isHapError, isOpen, parseAnswer, type Ticket } from "@hap/protocol";
import { type Signal, useSignal } from "@preact/signals";
import { heldYes, holdYes, undoSeconds } from "../state/held-yes.ts";
import { me, signedOut, wordsOf } from "../state/session.ts";
import { say } from "../state/toasts.ts";
import { t } from "../words/words.ts";
import type { AnswerProblem, Draft } from "./answer-form.tsx";
import type { Yes } from "./yes.ts";

/** The dialog that is open. */
export type Opened =
  | null
  | { name: "reject" | "changes" | "snooze" | "edit" | "always-allow" | "always-deny" }
  | { name: "phrase"; yes: Yes; phrase: string; after: "send" | "sign" }
  | { name: "ssh"; phrase: string }
  | { name: "passkey"; yes: Yes; phrase?: string };

type Given = {
  ticket: Ticket;
  draft: Signal<Draft> | null;
  problem: Signal<AnswerProblem | null>;
  settle: (ticket: Ticket) => void;
  /** The page itself ends the ticket: its end is no news from elsewhere. */
  expectEnd: (expected: boolean) => void;
};

export function useDeciding({ ticket, draft, problem, settle, expectEnd }: Given) {
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
      const after = await work();
      settle(after);
      close();
      const { quorum } = after;
      // A vote that does not end the ticket leaves it on the page; say that it was counted.
      if (isOpen(after.state) && quorum?.votes.some(({ by }) => by === me().person))
        say(t("ticket.quorum.recorded", { yes: quorum.yes, need: quorum.need }));
    } catch (error) {
      failed(error);
    } finally {
      busy.value = false;
    }
  };
  const failed = (error: unknown) => {
    if (signedOut(error)) return;
    if (isHapError(error) && error.code === "invalid_answer") {
      const { key, problem: words } = error.fields;
      problem.value = {
        key: typeof key === "string" ? key : null,
        text: typeof words === "string" ? `${words.charAt(0).toUpperCase()}${words.slice(1)}.` : error.message,
      };
      return;
    }
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
  const sendYes = async (yes: Yes, typed: { phrase?: string }) => {
    if (undoSeconds(ticket) > 0) {
      const held = await holdYes(ticket, yes, (undone) => {
        expectEnd(false);
        settle(undone);
      });
      expectEnd(true);
      return held;
    }
    const options = { ...typed, ...(yes.edits === undefined ? {} : { edits: yes.edits }) };
    return yes.answer === undefined
      ? me().approve(ticket.id, yes.comment, options)
      : me().answer(ticket.id, yes.answer, { ...options, ...(yes.comment === undefined ? {} : { comment: yes.comment }) });
  };
  /** The server issues the phrase. A person with SSH keys alone types it beside their signature, in a terminal. */
  const askPhrase = async (yes: Yes, signed: boolean): Promise<Opened> => {
    const passkey =
      !signed || (await me().credentials()).some(({ kind, revoked_at }) => kind === "passkey" && revoked_at === null);
    const { phrase } = await me().issuePhrase(ticket.id, yes.answer === undefined ? "approve" : "answer");
    return passkey ? { name: "phrase", yes, phrase, after: signed ? "sign" : "send" } : { name: "ssh", phrase };
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
  const answer = () => {
    if (draft === null || ticket.ask.type === "approval") return;
    problem.value = null;
    if (draft.value.type === "confirm" && draft.value.confirmed === null) {
      problem.value = { key: null, text: t("ticket.answer.chooseOne") };
      return;
    }
    try {
      void sayYes({ ...words(), answer: parseAnswer(ticket.ask, draft.value) });
    } catch (error) {
      failed(error);
    }
  };
  const held = heldYes.value?.id === ticket.id ? heldYes.value : null;
  return { opened, comment, held, busy, close, run, words, sendYes, sayYes, answer };
}

export type Deciding = ReturnType<typeof useDeciding>;
