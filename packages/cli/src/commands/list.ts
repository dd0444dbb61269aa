// hap list: tickets by state, person, agent, kind, project and age; the open ones of your own when nothing is said.
import { resolve } from "node:path";
import { HapError, parseAskerId, parseHumanId, quote, TICKET_STATES, type TicketState } from "@hap/protocol";
import type { TicketPage, TicketQuery } from "@hap/sdk";
import type { Command } from "commander";
import { actingAgent, asAgent, asPerson } from "../client.ts";
import type { Context } from "../context.ts";
import { parseDuration } from "../input/duration.ts";
import { parseNumber } from "../input/number.ts";
import { examples } from "../program.ts";
import { printPage } from "../show/print-page.ts";

type Options = {
  all?: true;
  state?: string;
  to?: string;
  from?: string;
  kind?: string;
  project?: string;
  session?: string;
  since?: string;
  text?: string;
  minRisk?: string;
  limit?: string;
  cursor?: string;
};

export function define(command: Command, context: Context): void {
  command
    .description("Tickets, newest first: your open ones, unless options say otherwise. An agent sees its own tickets.")
    .option("--all", "in every state")
    .option("--state <STATES>", "open, or states such as approved,expired")
    .option("--to <PERSON>", "somebody else's, or `anyone` (default: yours)")
    .option("--from <AGENT>", "opened by this agent")
    .option("--kind <KIND>", "of this kind")
    .option("--project <FOLDER>", "of this project")
    .option("--session <NAME>", "of this session")
    .option("--since <AGE>", "at most this old: 2h, 3d")
    .option("--text <WORDS>", "that hold these words: in the summary, a name, a command, a file")
    .option("--min-risk <RISK>", "of at least this risk, 0 to 1")
    .option("--limit <N>", "tickets on the page (default 50)")
    .option("--cursor <CURSOR>", "the page after this one")
    .addHelpText(
      "after",
      examples("hap list --all --since 1d", "hap list --state approved,rejected --from agent:ci", "hap list --to anyone --json"),
    )
    .action((options: Options) => list(context, options));
}

async function list(context: Context, options: Options): Promise<void> {
  const query = readQuery(context, options);
  const words = { empty: "No ticket fits.", command: "hap list", withState: options.all === true || options.state !== undefined };
  const agent = actingAgent(context);
  if (agent !== null)
    return asAgent(agent, async (client) => printPage(context, await found((page) => client.list(page), query), words));
  await asPerson(context, async (client) => {
    const to = options.to === "anyone" ? {} : { to: options.to === undefined ? client.person : query.to };
    printPage(context, await found((page) => client.list(page), { ...query, ...to } as TicketQuery), words);
  });
}

/** A search may come back empty before it has seen everything: go on until something is found, or nothing is left. */
async function found(list: (query: TicketQuery) => Promise<TicketPage>, query: TicketQuery): Promise<TicketPage> {
  let page = await list(query);
  while (page.tickets.length === 0 && page.next !== null) page = await list({ ...query, cursor: page.next });
  return page;
}

function parseShare(text: string, field: string): number {
  if (/^(?:0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)$/.test(text)) return Number(text);
  throw new HapError("invalid_input", `${field} is ${quote(text)}; it must be a number from 0 to 1.`, { field });
}

function readQuery(context: Context, options: Options): TicketQuery {
  const limit = parseNumber(options.limit, "--limit", "a whole number from 1 to 1000");
  const query: TicketQuery = { state: options.all ? [...TICKET_STATES] : readStates(options.state ?? "open") };
  if (options.to !== undefined && options.to !== "anyone") query.to = parseHumanId(options.to, "--to");
  if (options.from !== undefined) query.from = parseAskerId(options.from, "--from");
  if (options.kind !== undefined) query.kind = options.kind;
  if (options.project !== undefined) query.project = resolve(context.cwd, options.project);
  if (options.session !== undefined) query.session = options.session;
  if (options.since !== undefined) {
    const age = Math.min(parseDuration(options.since, "--since"), context.now() / 1000);
    query.created_after = new Date(context.now() - age * 1000).toISOString();
  }
  if (options.text !== undefined) query.text = options.text;
  if (options.minRisk !== undefined) query.risk_min = parseShare(options.minRisk, "--min-risk");
  if (options.cursor !== undefined) query.cursor = options.cursor;
  if (limit !== undefined) query.limit = limit;
  return query;
}

function readStates(text: string): "open" | TicketState[] {
  if (text.toLowerCase() === "open") return "open";
  return text.split(",").map((word) => {
    const state = TICKET_STATES.find((name) => name.toLowerCase() === word.trim().toLowerCase());
    if (state !== undefined) return state;
    const allowed = TICKET_STATES.map((name) => name.toLowerCase()).join(", ");
    throw new HapError("invalid_input", `--state is ${quote(text)}; it must be open, or some of ${allowed}.`, {
      field: "--state",
    });
  });
}
