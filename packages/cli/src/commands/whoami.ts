// hap whoami: who you are, where, and how far to trust it.
import type { Command } from "commander";
import { actingAgent, asAgent, asPerson, comesWithKey } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { trustWords } from "../show/trust-words.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Who you are: on this machine's store, or at the server that HAP_URL names.")
    .addHelpText("after", examples("hap whoami", "HAP_URL=https://hap.example.org hap whoami --json"))
    .action(() => whoami(context));
}

async function whoami(context: Context): Promise<void> {
  const agent = actingAgent(context);
  if (agent !== null && comesWithKey(context)) return asAgent(agent, async (client) => printAgent(context, client.agent));
  await asPerson(context, async ({ person, place, trust }) => {
    if (context.json) return printJson(context, { person, agent, place, trust });
    context.out.line(agent === null ? `${person} at ${place}` : `${agent}, for ${person}, at ${place}`);
    context.out.line(trustWords(trust));
  });
}

/** Whose key it is. Who stands behind an agent, and how far to trust the server, is not for the agent to say. */
function printAgent(context: Context, agent: string): void {
  const place = context.env.HAP_URL as string;
  if (context.json) printJson(context, { person: null, agent, place, trust: null });
  else context.out.line(`${agent} at ${place}, by HAP_API_KEY`);
}
