// Tickets in the draft's table: ID, Priority, Summary, Risk, Age, and what a list adds after them.
import { isOpen, shortCode, type Ticket } from "@hap/protocol";
import { type Context, fitWidth } from "../context.ts";
import { makePaint, type Paint, paintRisk, paintTier } from "../terminal/paint.ts";
import { type Column, renderTable, tableWidth } from "../terminal/table.ts";
import { displayWidth } from "../terminal/width.ts";
import { oneLine } from "./agent-text.ts";
import { riskNumber } from "./risk-words.ts";
import { secondsSince, shortAge } from "./time-words.ts";

const SUMMARY = 2;
/** Columns that a summary should keep before ids are shortened: people read a terminal, programs cut ids out of a pipe. */
const ROOM = { terminal: 40, pipe: 12 };

/** The table, fitted to the terminal. `withState` adds what a list of every state needs. */
export function ticketTable(context: Context, tickets: readonly Ticket[], withState = false): string {
  const width = fitWidth(context);
  const paint = makePaint(context.env, context.out.isTerminal);
  const now = context.now();
  const short = shortensIds(context, tickets, width, withState);
  const at = (row: number) => tickets[row] as Ticket;
  const columns: Column[] = [
    { heading: "ID", paint: (cell) => paint.bold(cell) },
    { heading: "Priority", paint: (cell, row) => paintPriority(at(row).priority)(cell) },
    { heading: "Summary" },
    { heading: "Risk", paint: (cell, row) => paintSeverity(paint, at(row), cell) },
    { heading: "Age" },
    ...(withState
      ? [{ heading: "State", paint: (cell: string, row: number) => (isOpen(at(row).state) ? cell : paint.dim(cell)) }]
      : []),
  ];
  const paintPriority = (priority: Ticket["priority"]) =>
    ({ critical: paint.red, high: paint.yellow, normal: String, low: paint.dim })[priority];
  const rows = tickets.map((ticket) => cells(ticket, now, short, withState));
  return renderTable(columns, rows, width, SUMMARY);
}

/** The draft's number, and the word that everything else goes by; a question has neither. */
function severityCell({ risk, tier, ask }: Ticket): string {
  return ask.type === "approval" ? `${riskNumber(risk)} ${tier}` : "question";
}

function paintSeverity(paint: Paint, { risk, tier, ask }: Ticket, cell: string): string {
  const end = ask.type === "approval" ? cell.indexOf(" ") : 0;
  return paintRisk(paint, risk, cell.slice(0, end)) + paintTier(paint, tier, cell.slice(end));
}

function cells(ticket: Ticket, now: number, short: boolean, withState: boolean): string[] {
  return [
    short ? `…${shortCode(ticket.id)}` : ticket.id,
    ticket.priority,
    oneLine(ticket.intent.summary),
    severityCell(ticket),
    shortAge(secondsSince(ticket.created_at, now)),
    ...(withState ? [ticket.state] : []),
  ];
}

/** Short codes where whole ids would leave the summaries too little room. */
function shortensIds(context: Context, tickets: readonly Ticket[], width: number | null, withState: boolean): boolean {
  if (width === null) return false;
  const rows = tickets.map((ticket) => cells(ticket, context.now(), false, withState));
  const longest = (at: number, least: number) => Math.max(least, ...rows.map((row) => displayWidth(row[at] as string)));
  const wanted = Math.min(longest(SUMMARY, 7), context.out.isTerminal ? ROOM.terminal : ROOM.pipe);
  const widths = [longest(0, 2), longest(1, 8), wanted, longest(3, 4), longest(4, 3), ...(withState ? [longest(5, 5)] : [])];
  return tableWidth(widths) > width;
}
