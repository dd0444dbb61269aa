// What commands print: a ticket as JSON, and the few lines that repeat what was decided.
import type { Ticket } from "@hap/protocol";
import type { Context } from "../context.ts";
import { fitWidth } from "../context.ts";
import { makePaint } from "../terminal/paint.ts";
import { wrapLines } from "../terminal/wrap.ts";
import { oneLine } from "./agent-text.ts";
import { agentRows, type Style } from "./gutter.ts";

/** Colours and width for this process. */
export function styleOf(context: Context): Style {
  return { paint: makePaint(context.env, context.out.isTerminal), width: fitWidth(context) };
}

/** One value as JSON: what is on the wire, and nothing else. */
export function printJson(context: Context, value: unknown): void {
  context.out.line(JSON.stringify(value, null, 2));
}

/** The ticket as JSON, or the draft's line and then which ticket it was: agent, kind and summary (D12). */
export function printDone(context: Context, ticket: Ticket, line: string, more: readonly string[] = []): void {
  if (context.json) {
    printJson(context, ticket);
    return;
  }
  const style = styleOf(context);
  context.out.line(line);
  context.out.line();
  context.out.line(`${ticket.id}  ${ticket.intent.kind} by ${ticket.from}`);
  for (const row of agentRows(oneLine(ticket.intent.summary), style)) context.out.line(row);
  for (const row of more.flatMap((text) => wrapLines(text, style.width))) context.out.line(row);
}
