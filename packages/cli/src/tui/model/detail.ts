// An open ticket: its rows, and how far they were read. Pure.
import { personWords, present, presentationText, shortCode, type Ticket } from "@hap/protocol";
import { presentationParts, presentationRows } from "../../show/blocks.ts";
import { endLines } from "../../show/ended.ts";
import { ownRows, type Style } from "../../show/gutter.ts";
import { historyLines } from "../../show/history.ts";
import { quorumLines } from "../../show/quorum-lines.ts";
import { riskNumber } from "../../show/risk-words.ts";
import { moment } from "../../show/time-words.ts";
import { trustWords } from "../../show/trust-words.ts";
import { type Detail, detailHeight, type Model, styleOfModel } from "./model.ts";

/** Open tickets, from the top. */
export function openDetail(model: Model, read: Pick<Detail, "tickets" | "history">): Detail {
  return lay(model, { ...read, readAtMs: model.nowMs, rows: [], mustSee: 0, top: 0, readTo: 0, seen: false });
}

/** The same tickets as they are now. What was read stays read while the words are the same. */
export function renewDetail(model: Model, before: Detail, read: Pick<Detail, "tickets" | "history">): Detail {
  const words = (tickets: readonly Ticket[]) => tickets.map((ticket) => presentationText(present(ticket))).join();
  const same = words(before.tickets) === words(read.tickets);
  const place = same ? { seen: before.seen, top: before.top, readTo: before.readTo } : { seen: false, top: 0, readTo: 0 };
  return lay(model, { ...before, ...read, readAtMs: model.nowMs, ...place });
}

/** The same place in the text, in rows of another width. */
export function resizeDetail(model: Model, before: Detail): Detail {
  const laid = lay(model, { ...before, top: 0, seen: true });
  const scale = before.rows.length === 0 ? 0 : laid.rows.length / before.rows.length;
  const read = { ...laid, seen: before.seen, readTo: Math.floor(before.readTo * scale) };
  return scrollDetail(model, read, Math.round(before.top * scale));
}

/** Scroll by some rows. Rows count as read once they were in view; what was jumped over does not. */
export function scrollDetail(model: Model, detail: Detail, by: number): Detail {
  const height = detailHeight(model);
  const top = Math.max(0, Math.min(detail.rows.length - height, detail.top + by));
  const readTo = top <= detail.readTo ? Math.max(detail.readTo, top + height) : detail.readTo;
  return { ...detail, top, readTo, seen: detail.seen || readTo >= detail.mustSee };
}

/** Scroll to the first row that was not read. */
export function showUnread(model: Model, detail: Detail): Detail {
  return detail.seen ? detail : scrollDetail(model, detail, detail.readTo - detail.top);
}

function lay(model: Model, detail: Detail): Detail {
  const style = styleOfModel(model);
  const [first] = detail.tickets as [Ticket];
  const must = detail.tickets.length === 1 ? oneRows(first, style) : batchRows(detail.tickets, style);
  const rest = detail.tickets.length === 1 ? moreRows(first, detail, style) : [];
  const rows = [...must, ...rest, ...ownRows(trustWords(model.trust), style).map(style.paint.dim)];
  return scrollDetail(model, { ...detail, rows, mustSee: must.length }, 0);
}

/** What a yes is about: the presentation, whole (D23). */
function oneRows(ticket: Ticket, style: Style): string[] {
  const end = endLines(ticket).flatMap((line) => ownRows(line, style));
  const { act } = presentationParts(ticket, style);
  return [...end.map(style.paint.bold), ...(end.length > 0 ? [""] : []), ...act, ...legend(style)];
}

function batchRows(tickets: readonly Ticket[], style: Style): string[] {
  const parts = tickets.flatMap((ticket, index) => [
    style.paint.bold(style.paint.inverse(` ${index + 1} of ${tickets.length}: ${shortCode(ticket.id)} `)),
    "",
    ...presentationRows(ticket, style),
    "",
  ]);
  return [...parts, ...legend(style)];
}

function legend(style: Style): string[] {
  return ["", ...ownRows("│ marks what the agent wrote.", style).map(style.paint.dim), ""];
}

function moreRows(ticket: Ticket, { history }: Pick<Detail, "history">, style: Style): string[] {
  const { paint } = style;
  const { evidence } = presentationParts(ticket, style);
  const question = ticket.ask.type !== "approval";
  const risk = question
    ? []
    : [...ownRows("Risk", style).map(paint.bold), ...riskLines(ticket).flatMap((line) => ownRows(line, style)), ""];
  return [
    ...evidence,
    ...(evidence.length > 0 ? [""] : []),
    ...risk,
    ...ownRows("Ticket", style).map(paint.bold),
    ...factLines(ticket).flatMap((line) => ownRows(line, style)),
    "",
    ...ownRows("History", style).map(paint.bold),
    ...historyLines(history).flatMap((line) => ownRows(line, style)),
    "",
  ];
}

/** The three factors, each with what it measures. */
function riskLines({ risk, risk_factors: factors, tier, risk_claimed: claimed }: Ticket): string[] {
  const lines = [
    `${tier}, risk ${riskNumber(risk)}: the number comes from three factors, the severity also from what the action does.`,
    factor("scope", factors.scope, "how much it touches"),
    factor("environment", factors.environment, "where it happens"),
    factor("confidence", factors.confidence, "how unsure the agent is, by its own words"),
  ];
  return claimed === null || claimed === risk ? lines : [...lines, `The agent claimed ${claimed}.`];
}

function factor(name: string, value: number, measures: string): string {
  return `${name.padEnd(11)}  ${String(value).padEnd(6)}  ${measures}`;
}

function factLines(ticket: Ticket): string[] {
  const { lease } = ticket;
  const lines = [`${ticket.id}  ${ticket.state}  to ${personWords(ticket.to)}`, `Opened ${moment(ticket.created_at)}`];
  if (lease.snoozed_until !== null) lines.push(`Snoozed until ${moment(lease.snoozed_until)}`);
  if (lease.escalate)
    lines.push(`Escalates to ${lease.escalate.to.map(personWords).join(", then ")} (${lease.escalations} so far)`);
  lines.push(...quorumLines(ticket));
  return lines;
}

/** Rows of what must be seen that were not in view yet. */
export function unseenRows({ readTo, mustSee, seen }: Detail): number {
  return seen ? 0 : Math.max(0, mustSee - readTo);
}
