// How a ticket ended, as one typed value: a different `status` for every pair of outcome and actor that a caller must tell
// apart (D7, D10). A timer's yes is `approved_by_timer`, never `approved`.
import {
  type Answer,
  answerWords,
  commentWords,
  ERASED,
  isOpen,
  type LineComment,
  outcomeWords,
  readReview,
  type Ticket,
} from "@hap/protocol";

type Common = {
  ticket: Ticket;
  /** Words for the agent or its model; the person's own words are in them verbatim. */
  words: string;
  /** The person's words, with each comment on a line on a line of its own. */
  comment: string | null;
  /** What the person said about single lines of a diff. */
  lineComments: readonly LineComment[];
};

/** The result of asking. `open` means that nobody has answered yet. */
export type Outcome = Common &
  (
    | { status: "approved"; edits: Record<string, unknown> | null }
    | { status: "approved_by_timer" }
    | { status: "rejected" }
    | { status: "changes_requested" }
    /** `answer` is null when it was erased since. */
    | { status: "answered"; answer: Answer | null; text: string; relayed: boolean }
    | { status: "expired" }
    | { status: "canceled" }
    | { status: "open" }
  );

/** Read the outcome of a ticket. */
export function readOutcome(ticket: Ticket): Outcome {
  const { resolution } = ticket;
  const said = resolution?.comment ?? null;
  const lineComments = readReview(said)?.lines ?? [];
  const common: Common = {
    ticket,
    words: outcomeWords(ticket),
    comment: said === null ? null : commentWords(said),
    lineComments,
  };
  if (resolution === null || isOpen(ticket.state)) return { ...common, status: "open" };
  switch (resolution.outcome) {
    case "approved":
      return resolution.actor.kind === "human"
        ? { ...common, status: "approved", edits: resolution.edits }
        : { ...common, status: "approved_by_timer" };
    case "rejected":
      return { ...common, status: resolution.actor.kind === "timer" ? "expired" : "rejected" };
    case "changes_requested":
      return { ...common, status: "changes_requested" };
    case "canceled":
      return { ...common, status: "canceled" };
    case "answered": {
      const { answer } = resolution;
      const text = answer === null || ticket.ask.type === "approval" ? ERASED : answerWords(ticket.ask, answer);
      return {
        ...common,
        status: "answered",
        answer,
        text,
        relayed: resolution.actor.kind === "agent",
        words: `${common.words}\n${text}`,
      };
    }
  }
}
