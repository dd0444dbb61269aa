// One line about what became of tickets: what this screen did, and what somebody else did first.
import { personWords, shortCode, type Ticket } from "@hap/protocol";
import { oneLine } from "../../show/agent-text.ts";
import { ago, secondsSince } from "../../show/time-words.ts";
import type { Plan, Verb } from "./model.ts";

const done: Record<Verb, string> = {
  approve: "Approved",
  reject: "Rejected",
  changes: "Changes requested",
  answer: "Answered",
};

/** After a decision of this screen. */
export function doneWords({ verb }: Pick<Plan, "verb">, tickets: readonly Ticket[]): string {
  const [first] = tickets;
  if (first === undefined || tickets.length !== 1) return `${done[verb]}: ${tickets.length} tickets`;
  const confirmed = first.resolution?.confirmed ? ", confirmed" : "";
  return `${done[verb]} (assurance ${first.resolution?.assurance ?? "none"}${confirmed}): ${oneLine(first.intent.summary)}`;
}

/** Who was first, how, and when; a timer is never called a person (D7). */
export function endedWords(ticket: Ticket, person: string, nowMs: number): string {
  const { resolution } = ticket;
  const code = shortCode(ticket.id);
  if (resolution === null) return `${code} is no longer in this list`;
  const how = resolution.outcome.replace("_", " ");
  const seconds = secondsSince(resolution.at, nowMs);
  const when = seconds < 60 ? "just now" : ago(seconds);
  const { kind, id } = resolution.actor;
  if (kind === "timer") return `${code} ended as ${how} by its timer, ${when}: nobody answered`;
  const who = kind === "human" ? (id === person ? "you, elsewhere" : personWords(id)) : `${kind} ${id}`;
  return `${code} was ${how} by ${who}, ${when}`;
}
