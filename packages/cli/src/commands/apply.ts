// hap apply: the diff that an approved ticket holds, onto exactly the files that it was made for.
import { DEFAULTS, parseAskerId } from "@hap/protocol";
import type { Command } from "commander";
import { actingAgent, asAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { finish } from "../gate-result.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

type Options = { from?: string; dir?: string };

const EXIT_HELP = `
Exit codes: 0 applied, 2 a diff that is not applied at all (links, .git, paths outside), 5 stale: a file is no longer
what the diff was made for; 10 to 15 no yes, as for \`hap wait\`.`;

export function define(command: Command, context: Context): void {
  command
    .description(
      "Apply the diff of an approved ticket, once. Every file must be what the diff was made for; git, with configuration, filters and hooks off, must come to the same result.",
    )
    .argument("<ID>", "the ticket, in full")
    .option("--from <AGENT>", "the agent that opened it (default: HAP_AGENT_ID, else agent:local)")
    .option("--dir <FOLDER>", "where to apply it (default: the ticket's project, else here)")
    .addHelpText("after", EXIT_HELP)
    .addHelpText("after", examples("hap apply tk_4v9c2m7k2m9x", "hap wait tk_4v9c2m7k2m9x && hap apply tk_4v9c2m7k2m9x"))
    .action((id: string, options: Options) => apply(context, id, options));
}

async function apply(context: Context, id: string, options: Options): Promise<void> {
  const agent = options.from === undefined ? actingAgent(context) : parseAskerId(options.from, "--from");
  const { applyTicket } = await import("@hap/door-exec");
  await asAgent(agent ?? DEFAULTS.agent, async (client) => {
    const place = { root: options.dir ?? null, cwd: context.cwd, path: context.env.PATH ?? "" };
    const { applied, outcome } = await applyTicket(client, id, place);
    if (applied === null) finish(context, { ran: false, outcome });
    else if (context.json) printJson(context, { ticket_id: id, applied });
    else context.out.line(applied.map((path) => `Applied: ${path}`).join("\n"));
  });
}
