// How a ticket stands or ended, in a word and a colour; a timer or a rule is never shown as a person (D7).
import type { Ticket } from "@hap/protocol";
import { t } from "../words/words.ts";

type Words = { word: string; tone: "good" | "bad" | "calm" | "changed" };

/** The word for a ticket's state. */
export function stateWords({ state, resolution }: Pick<Ticket, "state" | "resolution">): Words {
  switch (state) {
    case "PENDING":
      return { word: t("ticket.state.new"), tone: "calm" };
    case "DELIVERED":
      return { word: t("ticket.state.waiting"), tone: "calm" };
    case "ACKED":
      return { word: t("ticket.state.onHold"), tone: "calm" };
    case "APPROVED":
      return resolution?.actor.kind === "human"
        ? { word: t("ticket.state.approved"), tone: "good" }
        : { word: t("ticket.state.approvedByTimer"), tone: "changed" };
    case "REJECTED":
      return { word: t("ticket.state.rejected"), tone: "bad" };
    case "CHANGES_REQUESTED":
      return { word: t("ticket.state.changesRequested"), tone: "changed" };
    case "ANSWERED":
      return resolution?.actor.kind === "agent"
        ? { word: t("ticket.state.answeredByRelay"), tone: "changed" }
        : { word: t("ticket.state.answered"), tone: "good" };
    case "EXPIRED":
      return { word: t("ticket.state.expired"), tone: "bad" };
    case "CANCELED":
      return resolution?.actor.kind === "agent"
        ? { word: t("ticket.state.withdrawn"), tone: "calm" }
        : { word: t("ticket.state.canceled"), tone: "calm" };
  }
}

export function StateWord({ ticket }: { ticket: Ticket }) {
  const { word, tone } = stateWords(ticket);
  return <span class={`state state-${tone}`}>{word}</span>;
}
