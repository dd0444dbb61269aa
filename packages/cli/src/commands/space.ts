// hap space: the spaces of a PostgreSQL database.
import { spaces } from "@hap/sdk/migrate";
import type { Command } from "commander";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { examples, subcommand } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command.description(
    "Create, list and archive the spaces of the database that HAP_DATABASE_URL names. A space is one team: its own tickets, people, keys, policy and log. A server serves all spaces of its database: one at /s/NAME/, and the space of HAP_SPACE at the root. Commands work in the space of HAP_SPACE.",
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
  command.addHelpText("after", examples("hap space create team-b", "hap space list", "hap space archive team-b"));
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
