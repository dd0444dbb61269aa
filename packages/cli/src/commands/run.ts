// hap run: the command that an approved ticket holds, checked again and run once. A hook hands approved commands over to it.
import { DEFAULTS, parseAskerId } from "@hap/protocol";
import type { Command } from "commander";
import { actingAgent, asAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { finish, GATE_EXIT_HELP } from "../gate-result.ts";
import { examples } from "../program.ts";

type Options = { from?: string };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Run the command of an approved ticket, once. What it is bound to is checked again first; its yes is used before anything starts.",
    )
    .argument("<ID>", "the ticket, in full")
    .option("--from <AGENT>", "the agent that opened it (default: HAP_AGENT_ID, else agent:local)")
    .addHelpText("after", GATE_EXIT_HELP)
    .addHelpText("after", examples("hap run tk_4v9c2m7k2m9x", "hap wait tk_4v9c2m7k2m9x && hap run tk_4v9c2m7k2m9x"))
    .action((id: string, options: Options) => run(context, id, options));
}

async function run(context: Context, id: string, options: Options): Promise<void> {
  const agent = options.from === undefined ? actingAgent(context) : parseAskerId(options.from, "--from");
  const { runTicket } = await import("@hap/door-exec");
  await asAgent(agent ?? DEFAULTS.agent, async (client) => {
    finish(context, await runTicket(client, id, { env: context.env, cwd: context.cwd }));
  });
}
