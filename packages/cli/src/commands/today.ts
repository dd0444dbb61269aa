// hap today: how many calls agents made, how often they asked, how fast people decided, and which rules let the rest through.
import { isOpen, TICKET_STATES, type Ticket } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { parseNumber } from "../input/number.ts";
import type { Counts, RuleCount } from "../preview/judge-history.ts";
import { readHistory } from "../preview/read-history.ts";
import { examples } from "../program.ts";
import { oneLine } from "../show/agent-text.ts";
import { printJson, styleOf } from "../show/print-ticket.ts";
import { span } from "../show/time-words.ts";

const DAY_MS = 86_400_000;
const PAGE = 500;

type Options = { days?: string };
/** What became of the tickets. */
export type Asked = {
  asks: number;
  open: number;
  by_people: number;
  by_policy: number;
  expired: number;
  /** From being opened to a person's decision; null where none was made. */
  median_seconds: number | null;
};

export function define(command: Command, context: Context): void {
  command
    .description(
      "What your agents did today: calls, how many asked you, how fast you decided, what expired, and which rules let the rest run. Calls come from the transcripts of Claude Code and Codex on this machine, judged by your rules as they are now; tickets come from the store.",
    )
    .option("--days <N>", "the last N days, today included (default 1)")
    .addHelpText("after", examples("hap today", "hap today --days 7", "hap today --json"))
    .action((options: Options) => today(context, options));
}

async function today(context: Context, options: Options): Promise<void> {
  refuseAgent(context, "see what the whole store did");
  const days = Math.max(1, parseNumber(options.days, "--days", "a number of days") ?? 1);
  const since = new Date(context.now()).setHours(0, 0, 0, 0) - (days - 1) * DAY_MS;
  const asked = await asPerson(context, async (client) => summarize(await ticketsSince(client, since)));
  const { history } = await readHistory(context, since);
  if (context.json)
    return printJson(context, { since: new Date(since).toISOString(), ...history.counts, ...asked, rules: history.byRule() });
  print(context, days, history.counts, asked, history.byRule());
}

async function ticketsSince(client: PersonClient, since: number): Promise<Ticket[]> {
  const found: Ticket[] = [];
  const query = { state: [...TICKET_STATES], created_after: new Date(since).toISOString(), limit: PAGE };
  for (let cursor: string | null = null; ; ) {
    const page = await client.peek({ ...query, ...(cursor === null ? {} : { cursor }) });
    found.push(...page.tickets);
    cursor = page.next;
    if (cursor === null) return found;
  }
}

/** Counts and the median. */
export function summarize(tickets: readonly Ticket[]): Asked {
  const by = (kind: string) => tickets.filter(({ resolution }) => resolution?.actor.kind === kind);
  const waited = by("human")
    .map(({ created_at, resolution }) => (Date.parse(resolution?.at ?? created_at) - Date.parse(created_at)) / 1000)
    .sort((a, b) => a - b);
  const middle = Math.floor((waited.length - 1) / 2);
  return {
    asks: tickets.length - by("policy").length,
    open: tickets.filter(({ state }) => isOpen(state)).length,
    by_people: waited.length,
    by_policy: by("policy").length,
    expired: by("timer").length,
    median_seconds: waited.length === 0 ? null : ((waited[middle] ?? 0) + (waited[Math.floor(waited.length / 2)] ?? 0)) / 2,
  };
}

function print(context: Context, days: number, counts: Counts, asked: Asked, rules: readonly RuleCount[]): void {
  const { paint } = styleOf(context);
  const { calls, run, confined, ask, deny } = counts;
  const row = (name: string, value: string, note = "") =>
    context.out.line(`  ${paint.dim(name.padEnd(16))} ${value}${note === "" ? "" : `  ${paint.dim(note)}`}`);
  context.out.line(`${days === 1 ? "Today" : `The last ${days} days`}:\n`);
  row("Calls", String(calls), calls === 0 ? "no transcripts of Claude Code or Codex" : "");
  if (calls > 0) row("By your rules", `${run} run, ${confined} confined, ${ask} ask, ${deny} denied`);
  row("Tickets", String(asked.asks), asked.open > 0 ? `${asked.open} open` : "");
  row("Decided by you", String(asked.by_people));
  if (asked.median_seconds !== null) row("Median time", span(asked.median_seconds), "from asking to your decision");
  row("Expired", String(asked.expired));
  if (asked.by_policy > 0) row("Answered by rule", String(asked.by_policy), "tickets");
  const passed = rules.filter(({ verdict }) => verdict === "run" || verdict === "confined");
  if (passed.length === 0) return;
  context.out.line("\nLet through by rule:\n");
  const width = Math.max(...passed.map(({ rule }) => rule.length));
  for (const { rule, verdict, why, calls: count } of passed)
    context.out.line(
      `  ${String(count).padStart(String(calls).length)}  ${rule.padEnd(width)}  ${verdict === "run" ? "ran" : "confined"}  ${paint.dim(oneLine(why))}`,
    );
}
