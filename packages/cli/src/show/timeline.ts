// A conversation in the order in which it happened: what the agent asked, what people answered, and words left in between.
import {
  answerWords,
  type Conversation,
  commentWords,
  isOpen,
  type Message,
  personWords,
  shortCode,
  showInvisible,
  type Ticket,
} from "@hap/protocol";
import { wrapLines } from "../terminal/wrap.ts";
import { agentRows, type Style } from "./gutter.ts";
import { answerRules, questionLines } from "./question.ts";
import { moment } from "./time-words.ts";

type Entry = { at: string; lines: string[] };

/** Every line of it. The agent's words stand behind a bar. */
export function timeline(style: Style, { agent, tickets, messages }: Conversation): string[] {
  const entries = [
    ...tickets.flatMap((ticket) => ticketEntries(ticket, style, agent.listening === ticket.id)),
    ...messages.map((message) => messageEntry(message, style)),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const head = [agent.agent, agent.name, agent.group, agent.agent_runtime, agent.project_dir, agent.label].filter(
    (text) => text !== null,
  );
  return [...wrapLines(showInvisible(head.join("  ")), style.width), ...entries.flatMap(({ lines }) => ["", ...lines])];
}

function ticketEntries(ticket: Ticket, style: Style, listening: boolean): Entry[] {
  const fit = (text: string) => wrapLines(text, style.width);
  const { ask, resolution } = ticket;
  const lines = ask.type === "approval" ? [showInvisible(ticket.intent.summary)] : questionLines(ask);
  const open = isOpen(ticket.state);
  const asked = {
    at: ticket.created_at,
    lines: [
      ...fit(
        `${moment(ticket.created_at)}  ${ticket.from}  ${shortCode(ticket.id)}${open ? `  waits for an answer, ${listening ? "listening now" : "not listening"}` : ""}`,
      ),
      ...lines.flatMap((text) => agentRows(text, style)),
      ...(open && ask.type !== "approval" ? fit(answerRules(ask)) : []),
    ],
  };
  if (resolution === null) return [asked];
  const answer = ask.type !== "approval" && resolution.answer !== null ? answerWords(ask, resolution.answer) : resolution.outcome;
  const words = [answer, ...(resolution.comment === null ? [] : [commentWords(resolution.comment)])].map((text) =>
    showInvisible(text),
  );
  return [
    asked,
    { at: resolution.at, lines: [`${moment(resolution.at)}  ${personWords(resolution.actor.id)}`, ...words].flatMap(fit) },
  ];
}

function messageEntry(message: Message, { width }: Style): Entry {
  const told =
    message.withdrawn_at !== null
      ? "withdrawn, never told"
      : message.taken_at === null
        ? "queued, not told yet"
        : `queued, told ${moment(message.taken_at)}`;
  const files = message.attachments.map(({ name, media_type, size }) => `[${showInvisible(name)}, ${media_type}, ${size} bytes]`);
  const words = message.text === null ? [] : [showInvisible(message.text)];
  return {
    at: message.queued_at,
    lines: [`${moment(message.queued_at)}  ${personWords(message.from)}  ${told}  (${message.id})`, ...words, ...files].flatMap(
      (line) => wrapLines(line, width),
    ),
  };
}
