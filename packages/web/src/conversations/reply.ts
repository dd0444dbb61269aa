// What a reply becomes: an answer to the question that waits, or words for the next one. Pure.
import { type AgentCard, type Answer, type Conversation, isOpen, type Message, type Question, type Ticket } from "@hap/protocol";

/** A question of a conversation, with what is asked. */
export type OpenQuestion = Ticket & { ask: Question };

/** Questions that this person can answer here, oldest first. Critical ones need their own page. */
export function openQuestions({ tickets }: Conversation, person: string): OpenQuestion[] {
  return tickets.filter(
    (ticket): ticket is OpenQuestion =>
      isOpen(ticket.state) && ticket.ask.type !== "approval" && ticket.to === person && ticket.tier !== "critical",
  );
}

/** The question that words in the reply box answer: the one that is listened to, else the oldest that takes words. */
export function questionForWords(conversation: Conversation, person: string): OpenQuestion | null {
  const taking = openQuestions(conversation, person).filter(({ ask }) => takesWords(ask));
  return taking.find(({ id }) => id === conversation.agent.listening) ?? taking[0] ?? null;
}

function takesWords(ask: Question): boolean {
  return ask.type === "text" || (ask.type === "choice" && ask.allow_other);
}

/** Words as an answer; options that were chosen before stay where several are taken. */
export function answerInWords(ask: Question, text: string, chosen: readonly string[]): Answer {
  if (ask.type !== "choice") return { type: "text", text };
  return { type: "choice", choices: ask.allow_multiple ? [...chosen] : [], ...(text === "" ? {} : { other: text }) };
}

/** Messages that wait, in the order in which the agent is told them. */
export function waitingMessages({ messages }: Conversation): Message[] {
  return messages
    .filter(({ taken_at, withdrawn_at }) => taken_at === null && withdrawn_at === null)
    .sort((a, b) => a.place - b.place);
}

/** The ids of a person's own waiting messages with one of them moved by `by` places, or null if it cannot move there. */
export function movedOrder(own: readonly Message[], id: string, by: -1 | 1): string[] | null {
  const ids = own.map((message) => message.id);
  const from = ids.indexOf(id);
  const to = from + by;
  if (from === -1 || to < 0 || to >= ids.length) return null;
  ids.splice(to, 0, ...ids.splice(from, 1));
  return ids;
}

/** Agents by their named groups, in the order of the names; those without one come last. */
export function byGroup(agents: readonly AgentCard[]): { group: string | null; agents: AgentCard[] }[] {
  const names = [...new Set(agents.map(({ group }) => group).filter((group) => group !== null))].sort();
  return [...names, null]
    .map((group) => ({ group, agents: agents.filter((card) => card.group === group) }))
    .filter(({ agents: members }) => members.length > 0);
}
