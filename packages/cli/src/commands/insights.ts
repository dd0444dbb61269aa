// hap insights: the numbers of the page's Insights, in the terminal.
import type { Insights } from "@hap/protocol";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { parseWhole } from "../input/number.ts";
import { examples } from "../program.ts";
import { oneLine } from "../show/agent-text.ts";
import { printJson, styleOf } from "../show/print-ticket.ts";
import { span } from "../show/time-words.ts";

const BAR = 24;
const NAME = 22;

export function define(command: Command, context: Context): void {
  command
    .description(
      "Who asks how often, how fast people decide, decisions faster than reading allows, what expired, and what grants and rules decided without you.",
    )
    .option("--days <N>", "the last N days (default 7)")
    .addHelpText("after", examples("hap insights", "hap insights --days 30", "hap insights --json"))
    .action((options: { days?: string }) => insights(context, options));
}

async function insights(context: Context, { days }: { days?: string }): Promise<void> {
  refuseAgent(context, "see what the whole store did");
  const count = days === undefined ? 7 : parseWhole(days, "--days");
  const found = await asPerson(context, (client) => client.insights(count));
  if (context.json) return printJson(context, found);
  print(context, found);
}

function print(context: Context, found: Insights): void {
  const { paint } = styleOf(context);
  const line = (text: string) => context.out.line(text);
  const heading = (text: string) => line(`\n${paint.bold(text)}`);
  line(
    `${found.tickets} tickets since ${found.since}, ${found.open} open${found.complete ? "" : "; there were more, these are the newest"}.`,
  );
  if (found.asks.length > 0) heading("Asks by agent");
  for (const bar of bars(found.asks.map(({ agent, tickets }) => ({ name: agent, value: tickets }))))
    line(`${bar.text}  ${paint.dim(`busiest hour ${found.asks[bar.at]?.busiest_hour}`)}`);
  heading("Time to decide (half of them, 95 of 100)");
  for (const { priority, count, p50, p95 } of found.latency)
    line(
      `  ${priority.padEnd(NAME)} ${count === 0 ? paint.dim("none") : `${count} decided, ${span(p50 ?? 0)}, ${span(p95 ?? 0)}`}`,
    );
  heading("How tickets ended");
  for (const { text } of bars([
    { name: "by a person", value: found.ended.people },
    { name: "by a timer", value: found.ended.timer },
    { name: "withdrawn or canceled", value: found.ended.other },
    { name: "expired undecided", value: found.expired },
    { name: "faster than reading", value: found.hasty },
  ]))
    line(text);
  heading("Decided without asking you");
  for (const { text } of bars([
    { name: "by grants", value: found.standing.grants },
    { name: "by denials", value: found.standing.denials },
    { name: "by rules", value: found.standing.rules },
  ]))
    line(text);
  const { grants_in_force, grants_unused } = found.standing;
  line(
    `\n${grants_in_force} grants and denials in force, ${grants_unused} unused for a week${grants_unused > 0 ? ": `hap grants --unused` lists them" : ""}.`,
  );
}

/** A line for each value, with a bar in proportion to the largest. */
function bars(values: readonly { name: string; value: number }[]): { text: string; at: number }[] {
  const most = Math.max(1, ...values.map(({ value }) => value));
  const digits = String(most).length;
  return values.map(({ name, value }, at) => {
    const filled = value === 0 ? 0 : Math.max(1, Math.round((value / most) * BAR));
    const bar = "#".repeat(filled).padEnd(BAR);
    return { text: `  ${oneLine(name).padEnd(NAME)} ${String(value).padStart(digits)}  ${bar}`.trimEnd(), at };
  });
}
