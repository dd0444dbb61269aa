// What an agent reads: the person's words as they are, in lines; or the same as one JSON object.
import { type Answer, type Ask, answerWords } from "@hap/protocol";
import type { Outcome } from "../outcome.ts";
import type { Turn } from "./take-turn.ts";

/** As readable lines. */
export function turnText({ outcome, earlier, messages }: Turn): string {
  const blocks = [...(outcome === null ? [] : outcomeBlocks(outcome)), ...earlier.map(earlierText), ...messages.map(messageText)];
  return blocks.map((block) => `${block}\n`).join("\n");
}

/** An answer to another question says which one, so that it cannot be taken for the answer to this one. */
function earlierText(outcome: Outcome): string {
  return [`To your earlier question ${JSON.stringify(outcome.ticket.intent.summary)}:`, ...outcomeBlocks(outcome)].join("\n");
}

function outcomeBlocks(outcome: Outcome): string[] {
  const { ticket, comment } = outcome;
  const remark = comment === null ? [] : [`Comment: ${comment}`];
  switch (outcome.status) {
    case "answered": {
      const relayed = outcome.relayed ? ["(Passed on by the agent's own client; nothing proves that a person said it.)"] : [];
      return [answerLines(ticket.ask, outcome.answer, outcome.text), ...relayed, ...remark];
    }
    case "open":
      return [
        "No answer yet. The question stays open: run the same command again to go on waiting. Do not go on without an answer.",
      ];
    case "rejected":
      return ["Declined: the person does not answer this question.", ...remark];
    default:
      return [outcome.words];
  }
}

/** Options one a line, and a confirmation that cannot be misread. */
function answerLines(ask: Ask, answer: Answer | null, text: string): string {
  if (answer === null || ask.type === "approval") return text;
  if (answer.type === "confirm") return `${text} (${answer.confirmed ? "confirmed" : "not confirmed"})`;
  if (answer.type === "choice" && ask.type === "choice")
    return [...answer.choices.map((key) => answerWords(ask, { type: "choice", choices: [key] })), answer.other ?? []]
      .flat()
      .join("\n");
  return text;
}

function messageText({ message, paths }: Turn["messages"][number]): string {
  const files = message.attachments.map(
    ({ name, media_type, size }, at) => `Attachment: ${paths[at] ?? name} (${media_type}, ${size} bytes)`,
  );
  return [...(message.text === null ? [] : [message.text]), ...files].join("\n");
}

/** As one line of JSON. */
export function turnJson(turn: Turn): string {
  return `${JSON.stringify(describeTurn(turn))}\n`;
}

/** The same as data. */
export function describeTurn({ outcome, ticket, earlier, messages }: Turn) {
  return {
    status: outcome === null ? ("queued" as const) : outcome.status,
    agent_id: ticket.from.replace(/^agent:/, ""),
    ticket_id: ticket.id,
    ...answerOf(outcome),
    earlier: earlier.map((one) => ({
      status: one.status,
      ticket_id: one.ticket.id,
      question: one.ticket.intent.summary,
      ...answerOf(one),
    })),
    messages: messages.map(({ message, paths }) => ({
      id: message.id,
      from: message.from,
      text: message.text,
      queued_at: message.queued_at,
      attachments: message.attachments.map((attachment, at) => ({ ...attachment, path: paths[at] ?? null })),
    })),
  };
}

function answerOf(outcome: Outcome | null) {
  const answered = outcome?.status === "answered" ? outcome : null;
  return {
    answer: answered?.answer ?? null,
    text: answered?.text ?? null,
    relayed: answered?.relayed ?? false,
    by: outcome?.ticket.resolution?.actor.id ?? null,
    comment: outcome?.comment ?? null,
  };
}
