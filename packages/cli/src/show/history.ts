// A ticket's events, one line each, in words.
import { commentWords, type Json } from "@hap/protocol";
import { oneLine } from "./agent-text.ts";
import { moment, span } from "./time-words.ts";

type Message = Record<string, Json>;
const text = (value: Json | undefined) => (typeof value === "string" ? oneLine(value) : "");
const quoted = (value: Json | undefined) =>
  typeof value === "string" && value !== "" ? `: ${oneLine(commentWords(value))}` : "";
const part = (value: Json | undefined) =>
  (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}) as Message;

/** `22:59:05  opened by agent:ci` and so on. */
export function historyLines(events: readonly Json[]): string[] {
  return events.map((event) => {
    const message = part(event);
    return `${moment(text(message.ts))}  ${describe(message)}`;
  });
}

function describe(message: Message): string {
  const from = text(message.from);
  switch (message.type) {
    case "ticket.create":
      return `opened by ${text(part(message.ticket).from)} for ${text(part(message.ticket).to)}`;
    case "ticket.state_change":
      return part(message.metadata).reason === "delivered"
        ? `shown to ${text(message.delivered_to)}`
        : "the pause ended, the lease goes on";
    case "ticket.ack":
      return `acknowledged by ${from}${quoted(message.note)}`;
    case "intent.sign":
      return signed(message);
    case "intent.invalid":
      return `refused: ${from === "" ? "somebody" : from} wanted to ${text(message.decision) || "decide"} (${text(message.reason)})`;
    case "ticket.timeout":
      return `the lease ended (${text(message.action_taken)})`;
    case "ticket.resolve":
      return `became ${text(message.to_state)} by ${text(part(part(message.resolution).actor).kind)}`;
    case "ticket.cancel":
      return `canceled by ${from}${quoted(message.reason)}`;
    case "ticket.escalate":
      return `passed on from ${from} to ${text(message.to)}: the lease ended`;
    case "ticket.extend":
      return `given ${span(Number(message.seconds))} more by ${from}${message.by === "waiter" ? ", who waits" : ""}`;
    case "ticket.snooze":
      return `put off for ${span(Number(message.seconds))} by ${from}`;
    case "ticket.reassign":
      return `given to ${text(message.to)} by ${from}`;
    case "ticket.note":
      return `note by ${from}${quoted(message.note)}`;
    case "ticket.consume":
      return `used by ${text(message.by)}`;
    case "ticket.heard":
      return `heard by ${text(message.by)}`;
    default:
      return text(message.type);
  }
}

function signed(message: Message): string {
  const intent = part(message.intent);
  const confirmed = message.confirmed === true ? ", confirmed" : "";
  const label = message.unproven === true ? "; a program of the same user could have made it" : "";
  return `${text(intent.decision)} by ${text(intent.from)} (assurance ${text(message.assurance)}${confirmed}, trust ${text(message.trust)}${label})${quoted(intent.comment)}`;
}
