// The lines of the draft's 8.1, exactly: what everybody who knows `hap show` looks for comes first.
import { isOpen, riskWord, type Ticket } from "@hap/protocol";
import { type Paint, paintRisk } from "../terminal/paint.ts";
import { oneLine } from "./agent-text.ts";
import { riskNumber } from "./risk-words.ts";
import { ago, moment, secondsSince, span } from "./time-words.ts";

/** From `Ticket:` to `Changes:`. */
export function draftLines(ticket: Ticket, nowMs: number, paint: Paint): string[] {
  const { details, kind } = ticket.intent;
  const risk = `${riskNumber(ticket.risk)} (${riskWord(ticket.risk)})`;
  const lines = [
    `Ticket: ${paint.bold(ticket.id)}`,
    `From: ${ticket.from}`,
    `Priority: ${ticket.priority}`,
    // A question is answered, not allowed: a number for its risk says nothing.
    ...(ticket.ask.type === "approval" ? [`Risk: ${paintRisk(paint, ticket.risk, risk)}`] : []),
    `Created: ${moment(ticket.created_at)} (${ago(secondsSince(ticket.created_at, nowMs))})`,
    `Lease: ${leaseWords(ticket, nowMs)}`,
    "",
    `Intent: ${kind}`,
  ];
  if (typeof details.file === "string") lines.push(`File: ${oneLine(details.file)}`);
  const changes = changedLines(details);
  if (changes !== null) lines.push(`Changes: ${changes}`);
  return lines;
}

/** Added and removed lines: the runtime's count where it holds a diff, otherwise the agent's. */
function changedLines(details: Record<string, unknown>): string | null {
  const { lines_added: added, lines_removed: removed } = details;
  if (typeof added !== "number" && typeof removed !== "number") return null;
  return `+${typeof added === "number" ? added : 0} -${typeof removed === "number" ? removed : 0} lines`;
}

/** What the lease does next. */
export function leaseWords(ticket: Ticket, nowMs: number): string {
  const { lease } = ticket;
  if (!isOpen(ticket.state)) return "Over";
  const then = `(${lease.on_timeout} on timeout)`;
  const left = span(lease.remaining_seconds);
  if (ticket.state === "PENDING") return `Not started; ends in ${left} if nobody is shown it ${then}`;
  if (!lease.paused) return `Expires in ${left} ${then}`;
  const lapse =
    lease.ack_lapses_at === null ? "" : `, goes on in ${span(-secondsSince(lease.ack_lapses_at, nowMs))} unless decided`;
  return `Paused with ${left} left${lapse} ${then}`;
}
