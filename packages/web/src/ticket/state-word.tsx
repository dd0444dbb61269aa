// How a ticket stands or ended, in a word and a colour; a timer or a rule is never shown as a person (D7).
import type { Ticket } from "@hap/protocol";
import { t } from "../words/words.ts";

type Words = { word: string; tone: "good" | "bad" | "calm" | "changed" };

/** The word for a ticket's state. */
export function stateWords({ state, resolution }: Pick<Ticket, "state" | "resolution">): Words {
  switch (state) {
    case "PENDING":
      return { word: t("ticket.stateWord.new"), tone: "calm" };
    case "DELIVERED":
      return { word: t("ticket.stateWord.waiting"), tone: "calm" };
    case "ACKED":
      return { word: t("ticket.stateWord.onHold"), tone: "calm" };
    case "APPROVED":
      return resolution?.actor.kind === "human"
        ? { word: t("ticket.stateWord.approved"), tone: "good" }
        : { word: t("ticket.stateWord.approvedByTimer"), tone: "changed" };
    case "REJECTED":
      return { word: t("ticket.stateWord.rejected"), tone: "bad" };
    case "CHANGES_REQUESTED":
      return { word: t("ticket.stateWord.changesRequested"), tone: "changed" };
    case "ANSWERED":
      return resolution?.actor.kind === "agent"
        ? { word: t("ticket.stateWord.answeredByRelay"), tone: "changed" }
        : { word: t("ticket.stateWord.answered"), tone: "good" };
    case "EXPIRED":
      return { word: t("ticket.stateWord.expired"), tone: "bad" };
    case "CANCELED":
      return resolution?.actor.kind === "agent"
        ? { word: t("ticket.stateWord.withdrawn"), tone: "calm" }
        : { word: t("ticket.stateWord.canceled"), tone: "calm" };
  }
}

export function StateWord({ ticket }: { ticket: Ticket }) {
  const { word, tone } = stateWords(ticket);
  return <span class={`state state-${tone}`}>{word}</span>;
}
