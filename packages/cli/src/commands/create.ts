// hap create: an agent, or a script in its name, asks. With --wait it also waits, with the exit codes of `hap wait`.
import { DEFAULTS, parseAskerId, riskWord, shortCode, type Ticket } from "@hap/protocol";
import type { Command } from "commander";
import { actingAgent, asAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { WAIT_EXIT_HELP } from "../exit-codes.ts";
import { addTicketOptions, readTicketOptions, type TicketOptions } from "../input/ticket-options.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { riskNumber } from "../show/risk-words.ts";
import { span } from "../show/time-words.ts";
import { waitOutcome } from "../wait-outcome.ts";

type Options = TicketOptions & { from?: string; wait?: true; timeout?: string; renew?: true };

export function define(command: Command, context: Context): void {
  addTicketOptions(command)
    .description("Open a ticket: ask a person to approve something, or a question.")
    .option("--wait", "wait until it is decided, as `hap wait` does")
    .option("--timeout <TIME>", "with --wait: give up after this long, and leave the ticket open")
    .option("--renew", "with --wait: renew the ticket's timer while this process waits")
    .addHelpText("after", WAIT_EXIT_HELP.replace("Exit codes:", "Exit codes with --wait:"))
    .addHelpText(
      "after",
      examples(
        `hap create --to human:alex --kind run_command --summary "Drop the staging table" --details '{"command":"psql -c ..."}'`,
        "git diff | hap create --summary 'Refactor the parser' --file src/parser.ts --diff-file - --wait",
        `hap create --summary "Which region?" --ask '{"type":"choice","options":["eu","us"]}' --ttl 10m --wait`,
      ),
    )
    .action((options: Options) => {
      // Without a single option nothing is asked for: a ticket would only puzzle the person who gets it.
      if (Object.keys(options).every((name) => name === "json")) return command.help();
      return create(context, options);
    });
}

async function create(context: Context, options: Options): Promise<void> {
  const agent = options.from === undefined ? actingAgent(context) : parseAskerId(options.from, "--from");
  const input = readTicketOptions(context, options);
  await asAgent(agent ?? DEFAULTS.agent, async (client) => {
    const ticket = await client.createTicket(input);
    if (options.wait !== true)
      return context.json ? printJson(context, ticket) : context.out.line(createdLines(ticket).join("\n"));
    if (!context.json) context.err.line(`Waiting for ${ticket.to} to decide ${ticket.id} ...`);
    const renew = options.renew === true;
    const outcome = await waitOutcome(context, options.timeout, (how) => client.wait(ticket.id, { ...how, renew }));
    if (outcome !== null && outcome.status !== "open") await client.heard(ticket.id);
  });
}

function createdLines(ticket: Ticket): string[] {
  const { lease } = ticket;
  return [
    `Ticket: ${ticket.id}`,
    `Code: ${shortCode(ticket.id)}`,
    `To: ${ticket.to}`,
    `Risk: ${riskNumber(ticket.risk)} (${riskWord(ticket.risk)}), ${ticket.tier}`,
    `Lease: ${span(lease.ttl_seconds)} once it was shown, then ${lease.on_timeout}`,
  ];
}
