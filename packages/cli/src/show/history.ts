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
    return `${moment(text(message.ts))}  ${describeEvent(message)}`;
  });
}

/** What happened, in a few words. */
export function describeEvent(message: Message): string {
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
      return `passed on from ${from} to ${text(message.to)}: ${message.why === "quorum_short" ? "too few people are left to approve it" : "the lease ended"}`;
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
      return describeOther(message);
  }
}

/** Events that belong to no ticket. */
function describeOther(message: Message): string {
  const from = text(message.from);
  const agent = text(message.agent);
  switch (message.type) {
    case "log.genesis":
      return "the log begins";
    case "agent.join":
      return `${agent} joined (${text(message.agent_runtime)})`;
    case "agent.leave":
      return `${agent} left`;
    case "message.queue":
      return `${from} left words for ${agent}${quoted(message.text)}`;
    case "message.take":
      return `${agent} got the words that were left for it`;
    case "credential.enrol":
      return `a key was added by ${from}`;
    case "credential.revoke":
      return `a key was revoked by ${from}`;
    case "policy.trust":
      return `the policy was confirmed by ${from}`;
    case "group.set":
      return `the group ${text(message.group)} was set by the policy`;
    case "policy.decision":
      return `${from} was answered by the rule ${text(message.rule)}: ${text(message.verdict)}`;
    case "key.create":
      return `an API key for ${agent} was made by ${from}`;
    case "key.revoke":
      return `an API key was revoked by ${from}`;
    case "directory.add":
      return `a name was added${quoted(message.name)}`;
    case "session.begin":
      return `${text(message.person)} signed in (${text(message.how)})`;
    case "session.end":
      return `${text(message.person)} was signed out (${text(message.reason)})`;
    case "content.erased":
      return `texts were erased by ${from}${quoted(message.reason)}`;
    case "person.erased":
      return `a person was deleted by ${from}`;
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
