// The list: groups by priority, each ticket with agent, project, age, countdown and risk.
import { basename } from "node:path";
import { isOpen, type Priority, personWords, shortCode, type Ticket } from "@hap/protocol";
import { oneLine } from "../../show/agent-text.ts";
import { secondsSince, shortAge } from "../../show/time-words.ts";
import type { Paint } from "../../terminal/paint.ts";
import { ticketNow } from "../model/countdown.ts";
import { cardHeight, type Item, inView, itemsOf } from "../model/list-layout.ts";
import { listRows, type Model } from "../model/model.ts";
import { endedWords } from "../model/outcome-notice.ts";
import { type Entry, matching, type TicketList } from "../model/ticket-list.ts";
import { countdown, effectSummary, severityBadge } from "./badges.ts";
import { column, fill, line, type Part, spread } from "./spread.ts";

/** The rows between title and status. */
export function listView(model: Model): string[] {
  const height = listRows(model);
  const { list, columns } = model;
  const items = itemsOf(list);
  if (items.length === 0) return fill(["", ...emptyWords(model).map((text) => line([{ text: `  ${text}` }], columns))], height);
  const rows = inView(items, list.top, height, columns).flatMap((item) => itemRows(model, item));
  return fill(rows, height);
}

function emptyWords({ list, person }: Model): string[] {
  if (list.filter !== "" && list.entries.length > 0)
    return [`None of the ${list.entries.length} tickets that were read holds these words.`, ...moreHint(list)];
  if (list.loading) return ["Reading…"];
  if (list.tab === "decided") return [`Nothing was decided for ${person} yet.`];
  return [list.tab === "all" ? "No ticket is open." : `Nothing waits for ${person}.`, "New tickets appear here by themselves."];
}

function moreHint(list: TicketList): string[] {
  return list.next === null ? ["Esc shows all."] : ["G looks at the next page, Esc shows all."];
}

function itemRows(model: Model, item: Item): string[] {
  if (item.type === "group") return [groupRow(model, item.priority, item.count)];
  return cardHeight(model.columns) === 1 ? [wideRow(model, item.entry)] : cardRows(model, item.entry);
}

function groupRow({ paint, columns, list }: Model, priority: Priority, count: number): string {
  const more = list.next === null ? "" : "+";
  return line(
    [{ text: ` ${priority.toUpperCase()} ${count}${more}`, paint: (text) => paint.bold(priorityPaint(paint, priority)(text)) }],
    columns,
  );
}

function priorityPaint(paint: Paint, priority: Priority): (text: string) => string {
  return { critical: paint.red, high: paint.yellow, normal: paint.cyan, low: paint.dim }[priority];
}

/** The cursor, whether it is selected, and the agent's words. */
function leftParts({ paint, list, chosen }: Model, { ticket }: Entry): Part[] {
  const current = ticket.id === list.current;
  return [
    { text: current ? " > " : "   ", paint: (text) => paint.bold(paint.cyan(text)) },
    { text: chosen.has(ticket.id) ? "[x] " : "", paint: paint.magenta },
    { text: oneLine(ticket.intent.summary), paint: current ? paint.bold : String },
  ];
}

function cardRows(model: Model, entry: Entry): string[] {
  const { paint, columns, nowMs } = model;
  const ticket = ticketNow(entry.ticket, entry.readAtMs, nowMs);
  const right: Part[] = [{ text: "  " }, severityBadge(paint, ticket), { text: " " }];
  const time = countdown(paint, ticket);
  const about: Part = {
    text: `     ${entry.leftAtMs === null ? facts(model, ticket).join("  ") : endedWords(ticket, model.person, nowMs)}`,
    paint: paint.dim,
  };
  return [spread(leftParts(model, entry), right, columns), spread([about], [{ text: "  " }, time, { text: " " }], columns)];
}

function wideRow(model: Model, entry: Entry): string {
  const { paint, columns, nowMs } = model;
  const ticket = ticketNow(entry.ticket, entry.readAtMs, nowMs);
  const time = countdown(paint, ticket);
  const about =
    entry.leftAtMs === null
      ? [
          column(oneLine(ticket.from), 20),
          column(placeOf(ticket), 14),
          shortCode(ticket.id),
          column(ageOf(ticket, nowMs), 4),
        ].join(" ")
      : endedWords(ticket, model.person, nowMs);
  const badge = severityBadge(paint, ticket);
  const right: Part[] = [
    { text: `  ${about} `, paint: paint.dim },
    { text: " ".repeat(Math.max(0, 15 - badge.text.length)) },
    badge,
    { text: " ".repeat(Math.max(1, 15 - time.text.length)) },
    time,
    { text: " " },
  ];
  return spread(leftParts(model, entry), right, columns);
}

function facts(model: Model, ticket: Ticket): string[] {
  const to = model.list.tab === "all" && ticket.to !== model.person ? [`to ${personWords(ticket.to)}`] : [];
  const asks = ticket.ask.type === "approval" ? [ticket.intent.kind] : [`asks: ${ticket.ask.type}`];
  return [
    effectSummary(ticket),
    oneLine(ticket.from),
    ...to,
    ...asks,
    shortCode(ticket.id),
    placeOf(ticket),
    `${ageOf(ticket, model.nowMs)} old`,
  ].filter(Boolean);
}

function placeOf({ project, session }: Ticket): string {
  return oneLine(project === null ? (session ?? "") : basename(project));
}

function ageOf(ticket: Ticket, nowMs: number): string {
  return shortAge(secondsSince(ticket.created_at, nowMs));
}

/** How many tickets there are, as far as it was read: "12", "24+". */
export function countWords(list: TicketList): string {
  const open = matching(list).filter(
    ({ ticket, leftAtMs }) => leftAtMs === null && (list.tab === "decided" || isOpen(ticket.state)),
  );
  return `${open.length}${list.next === null ? "" : "+"}`;
}
