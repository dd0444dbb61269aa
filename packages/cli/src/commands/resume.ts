// hap resume: for an agent that starts again: what was decided while it was away, and how to pick each of it up (12.3).
import { DEFAULTS, parseAskerId, showInvisible } from "@hap/protocol";
import type { Command } from "commander";
import { actingAgent, asAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

type Options = { from?: string };

export function define(command: Command, context: Context): void {
  command
    .description("List decisions that an agent has not picked up yet: unused approvals and unread answers. Listing uses nothing.")
    .option("--from <AGENT>", "the agent (default: HAP_AGENT_ID, else agent:local)")
    .addHelpText("after", examples("hap resume", "hap resume --from agent:ci --json"))
    .action((options: Options) => resume(context, options));
}

async function resume(context: Context, options: Options): Promise<void> {
  const agent = (options.from === undefined ? actingAgent(context) : parseAskerId(options.from, "--from")) ?? DEFAULTS.agent;
  const { findUnused } = await import("@hap/door-exec");
  await asAgent(agent, async (client) => {
    const found = await findUnused(client);
    if (context.json) return printJson(context, found);
    if (found.length === 0) return context.out.line(`Nothing waits for ${agent} to pick it up.`);
    for (const { ticket, words, pick_up } of found) {
      context.out.line(`${ticket.id}  ${showInvisible(ticket.intent.summary)}`);
      context.out.line(`  ${context.out.isTerminal ? showInvisible(words) : words}`);
      context.out.line(`  ${pick_up}`);
    }
  });
}
