// A conversation in one line of time: what the agent asked, what was answered, and words that it was told.
import { answerWords, type Conversation, isOpen, type Message, type Ticket } from "@hap/protocol";

export type Entry =
  | { type: "asked"; at: string; ticket: Ticket; prompt: string }
  | { type: "answered"; at: string; ticket: Ticket; text: string; by: string; relayed: boolean }
  | { type: "ended"; at: string; ticket: Ticket }
  | { type: "message"; at: string; message: Message };

/** Everything in order; what was asked comes before what was said to it. */
export function timelineOf({ tickets, messages }: Conversation): Entry[] {
  const entries: Entry[] = [
    ...tickets.flatMap((ticket) => [
      { type: "asked" as const, at: ticket.created_at, ticket, prompt: promptOf(ticket) },
      ...endOf(ticket),
    ]),
    // Those that wait are in the queue. Words that were withdrawn or erased say nothing.
    ...messages
      .filter(({ taken_at, withdrawn_at, text, attachments }) => {
        const empty = text === null && attachments.length === 0;
        return (taken_at !== null || withdrawn_at !== null) && !empty;
      })
      .map((message) => ({ type: "message" as const, at: message.taken_at ?? message.queued_at, message })),
  ];
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** What a question asks, in its own words. */
function promptOf({ ask, intent }: Ticket): string {
  const prompt = "prompt" in ask ? ask.prompt : undefined;
  return prompt === undefined || prompt === "" ? intent.summary : prompt;
}

function endOf(ticket: Ticket): Entry[] {
  const { resolution, ask } = ticket;
  if (resolution === null || isOpen(ticket.state)) return [];
  if (resolution.answer === null || ask.type === "approval") return [{ type: "ended", at: resolution.at, ticket }];
  return [
    {
      type: "answered",
      at: resolution.at,
      ticket,
      text: answerWords(ask, resolution.answer),
      by: resolution.actor.id,
      relayed: resolution.actor.kind === "agent",
    },
  ];
}
