// hap space: the spaces of a PostgreSQL database.
import { HapError } from "@hap/protocol";
import { spaces } from "@hap/sdk/migrate";
import type { Command } from "commander";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { parseNumber } from "../input/number.ts";
import { examples, subcommand } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command.description(
    "Create, list, limit and archive the spaces of the database that HAP_DATABASE_URL names. A space is one team: its own tickets, people, keys, policy and log. A server serves all spaces of its database: one at /s/NAME/, and the space of HAP_SPACE at the root. Commands work in the space of HAP_SPACE.",
  );
  subcommand(command, "create")
    .argument("<NAME>", "the name of the space")
    .description("Create an empty space.")
    .addHelpText("after", examples("hap space create team-b"))
    .action((name: string) => create(context, name));
  subcommand(command, "list")
    .description("Show every space.")
    .addHelpText("after", examples("hap space list", "hap space list --json"))
    .action(() => list(context));
  subcommand(command, "archive")
    .argument("<NAME>", "the name of the space")
    .description("Make a space read-only; --undo lets it be written again.")
    .option("--undo", "let it be written again")
    .addHelpText("after", examples("hap space archive team-b", "hap space archive team-b --undo"))
    .action((name: string, options: { undo?: true }) => archive(context, name, options.undo !== true));
  subcommand(command, "limit")
    .argument("<NAME>", "the name of the space")
    .description("Limit what a space may take, or show its limits. --none takes them away.")
    .option("--open-tickets <N>", "open tickets of all its agents together")
    .option("--requests-per-minute <N>", "requests on each server; the next ones get 429 with Retry-After")
    .option("--none", "no limits")
    .addHelpText(
      "after",
      examples("hap space limit team-b --open-tickets 500 --requests-per-minute 3000", "hap space limit team-b"),
    )
    .action((name: string, options: LimitOptions) => limit(context, name, options));
  command.addHelpText("after", examples("hap space create team-b", "hap space list", "hap space archive team-b"));
}

type LimitOptions = { openTickets?: string; requestsPerMinute?: string; none?: true };

async function limit(context: Context, name: string, options: LimitOptions): Promise<void> {
  refuseAgent(context, "limit a space");
  const open_tickets = parseNumber(options.openTickets, "--open-tickets", "a number of tickets");
  const requests_per_minute = parseNumber(options.requestsPerMinute, "--requests-per-minute", "a number of requests");
  const wanted = {
    ...(open_tickets === undefined ? {} : { open_tickets }),
    ...(requests_per_minute === undefined ? {} : { requests_per_minute }),
  };
  const change = Object.keys(wanted).length > 0;
  if (change && options.none === true)
    throw new HapError("invalid_input", "--none takes the limits away; give it alone.", { field: "--none" });
  const { limit: set } = await spaces();
  // What is not named stays as it is.
  const limits = await set(name, change ? { ...(await set(name, null)), ...wanted } : options.none === true ? {} : null);
  if (context.json) return printJson(context, { space: name, limits });
  const rows = [
    ...(limits.open_tickets === undefined ? [] : [`${limits.open_tickets} open tickets`]),
    ...(limits.requests_per_minute === undefined ? [] : [`${limits.requests_per_minute} requests a minute on each server`]),
  ];
  context.out.line(rows.length === 0 ? `${name} has no limits.` : `${name}: at most ${rows.join(", and ")}.`);
}

async function create(context: Context, name: string): Promise<void> {
  refuseAgent(context, "create a space");
  const made = await (await spaces()).create(name);
  if (context.json) return printJson(context, { space: name, created: made });
  context.out.line(
    made
      ? `Created ${name}. Every server of this database serves it at /s/${name}/. Sign in: HAP_SPACE=${name} hap login --code`
      : `${name} exists already.`,
  );
}

async function list(context: Context): Promise<void> {
  refuseAgent(context, "list spaces");
  const found = await (await spaces()).list();
  if (context.json) return printJson(context, { spaces: found });
  if (found.length === 0) context.out.line("There is no space yet.");
  for (const { space, events, archived_at } of found)
    context.out.line(`${space}  ${events} events${archived_at === null ? "" : `, archived ${archived_at}`}`);
}

async function archive(context: Context, name: string, archived: boolean): Promise<void> {
  refuseAgent(context, "archive a space");
  await (await spaces()).archive(name, archived);
  if (context.json) return printJson(context, { space: name, archived });
  context.out.line(archived ? `${name} is archived: it can be read, and takes no writes.` : `${name} can be written again.`);
}
