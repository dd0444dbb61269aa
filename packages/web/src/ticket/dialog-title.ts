// The title of a dialog: its verb, and the ticket that it is about.
import { showInvisible, type Ticket } from "@hap/protocol";
import { t } from "../words/words.ts";

/** `Reject: Drop the sessions table`. */
export const titleFor = (verb: string, { intent }: Pick<Ticket, "intent">) =>
  t("ticket.dialog.title", { verb, summary: showInvisible(intent.summary) });

/** The title of a yes. */
export const approveTitle = (ticket: Ticket) =>
  titleFor(ticket.ask.type === "approval" ? t("common.approve") : t("ticket.answer.send"), ticket);
