// hap grants: grants and denials, with what is left of each (D43).
import { GRANT_LIMITS, type GrantView } from "@hap/protocol";
import type { Command } from "commander";
import { actingAgent, asAgent, asPerson } from "../client.ts";
import { type Context, fitWidth } from "../context.ts";
import { parseWhole } from "../input/number.ts";
import { examples } from "../program.ts";
import { oneLine } from "../show/agent-text.ts";
import { printJson } from "../show/print-ticket.ts";
import { moment } from "../show/time-words.ts";
import { renderTable } from "../terminal/table.ts";

type Options = { all?: boolean; agent?: string; unused?: string | boolean };
const WORDS = 1;

export function define(command: Command, context: Context): void {
  command
    .description("Grants and denials in force, newest first. An agent sees those that are about it.")
    .option("--all", "those that are over, too")
    .option("--agent <ID>", "only those about this agent")
    .option("--unused [DAYS]", `only those that nothing used for so many days (default ${GRANT_LIMITS.unusedDays})`)
    .addHelpText("after", examples("hap grants", "hap grants --unused", "hap grants --all --json"))
    .action((options: Options) => list(context, options));
}

async function list(context: Context, { all, agent, unused }: Options): Promise<void> {
  const days = unused === true ? GRANT_LIMITS.unusedDays : unused;
  const query = {
    ...(all === true ? { state: "all" as const } : {}),
    ...(agent === undefined ? {} : { agent }),
    ...(days === undefined || days === false ? {} : { unused_days: parseWhole(String(days), "--unused") }),
  };
  const acting = actingAgent(context);
  const found =
    acting === null
      ? await asPerson(context, (client) => client.grants(query))
      : await asAgent(acting, (client) => client.grants(query));
  if (context.json) return printJson(context, found);
  if (found.length === 0) return context.out.line("No grants. `hap grant create --help` says how to make one.");
  const columns = ["Grant", "What", "Left", "Ends", "Used", "State"].map((heading) => ({ heading }));
  context.out.line(renderTable(columns, found.map(cells), fitWidth(context), WORDS));
}

function cells(grant: GrantView): string[] {
  return [
    grant.id,
    oneLine(grant.words),
    grant.left === null ? "" : String(grant.left),
    grant.ends_at === null ? "never" : moment(grant.ends_at),
    String(grant.used),
    grant.state,
  ];
}
