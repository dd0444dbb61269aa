// The inbox as a table: short code, who asks, what kind of thing, and how long is left. A narrow terminal drops kind, then agent.
import { shortCode, type Ticket } from "@hap/protocol";
import { type Context, fitWidth } from "../context.ts";
import { makePaint, type Paint, paintRisk } from "../terminal/paint.ts";
import { renderTable, tableWidth } from "../terminal/table.ts";
import { displayWidth } from "../terminal/width.ts";
import { oneLine } from "./agent-text.ts";
import { riskNumber } from "./risk-words.ts";
import { secondsSince, shortAge } from "./time-words.ts";

/** What a summary should keep before other columns give way. */
const SUMMARY_ROOM = 24;

const KINDS: Readonly<Record<string, string>> = {
  run_command: "command",
  modify_file: "edit",
  create_file: "new file",
  delete_file: "delete",
};

type InboxColumn = {
  heading: string;
  cell: (ticket: Ticket, now: number) => string;
  paint?: (paint: Paint, ticket: Ticket, cell: string) => string;
};

const CODE: InboxColumn = { heading: "Code", cell: ({ id }) => shortCode(id), paint: (paint, _ticket, cell) => paint.bold(cell) };
const AGENT: InboxColumn = { heading: "Agent", cell: ({ from }) => oneLine(from.replace(/^agent:/, "")) };
const KIND: InboxColumn = { heading: "Kind", cell: ({ intent }) => KINDS[intent.kind] ?? oneLine(intent.kind) };
const SUMMARY: InboxColumn = { heading: "Summary", cell: ({ intent }) => oneLine(intent.summary) };
const PRIORITY: InboxColumn = {
  heading: "Priority",
  cell: ({ priority }) => priority,
  paint: (paint, { priority }, cell) =>
    ({ critical: paint.red, high: paint.yellow, normal: String, low: paint.dim })[priority](cell),
};
const RISK: InboxColumn = {
  heading: "Risk",
  cell: ({ risk }) => riskNumber(risk),
  paint: (paint, { risk }, cell) => paintRisk(paint, risk, cell),
};
const AGE: InboxColumn = { heading: "Age", cell: ({ created_at }, now) => shortAge(secondsSince(created_at, now)) };
const VOTES: InboxColumn = {
  heading: "Votes",
  cell: ({ quorum }) => (quorum === undefined ? "" : `${quorum.yes} of ${quorum.need}`),
};
const LEFT: InboxColumn = { heading: "Left", cell: timeLeft };

const WIDEST = [CODE, PRIORITY, AGENT, KIND, SUMMARY, RISK, AGE, LEFT];
const LAYOUTS = [
  WIDEST,
  WIDEST.filter((column) => column !== KIND),
  WIDEST.filter((column) => column !== KIND && column !== AGENT),
];

/** The table, fitted to the terminal. */
export function inboxTable(context: Context, tickets: readonly Ticket[]): string {
  const width = fitWidth(context);
  const paint = makePaint(context.env, context.out.isTerminal);
  const now = context.now();
  // Only where a ticket needs several people.
  const layouts = tickets.some(({ quorum }) => quorum !== undefined) ? LAYOUTS.map((layout) => [...layout, VOTES]) : LAYOUTS;
  const columns = layouts.find((layout) => fits(layout, tickets, now, width)) ?? (layouts.at(-1) as InboxColumn[]);
  return renderTable(
    columns.map(({ heading, paint: tint }) => ({
      heading,
      ...(tint === undefined ? {} : { paint: (cell: string, row: number) => tint(paint, tickets[row] as Ticket, cell) }),
    })),
    tickets.map((ticket) => columns.map(({ cell }) => cell(ticket, now))),
    width,
    columns.indexOf(SUMMARY),
  );
}

/** True where the summaries keep enough room. */
function fits(layout: readonly InboxColumn[], tickets: readonly Ticket[], now: number, width: number | null): boolean {
  if (width === null) return true;
  const widths = layout.map((column) => {
    const longest = Math.max(column.heading.length, ...tickets.map((ticket) => displayWidth(column.cell(ticket, now))));
    return column === SUMMARY ? Math.min(longest, SUMMARY_ROOM) : longest;
  });
  return tableWidth(widths) <= width;
}

function timeLeft({ lease }: Ticket, now: number): string {
  if (lease.paused) return "paused";
  return lease.deadline_at === null ? "-" : shortAge(Math.max(0, (Date.parse(lease.deadline_at) - now) / 1000));
}
