// hap cancel: its agent withdraws a ticket, or its person ends it; nobody has decided (D3: a no needs no step-up).
import { DEFAULTS, parseAskerId, personWords, type Ticket } from "@hap/protocol";
import type { Command } from "commander";
import { actingAgent, asAgent, asPerson, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printDone } from "../show/print-ticket.ts";

type Options = { from?: string };

export function define(command: Command, context: Context): void {
  command
    .description("End an open ticket without a decision: as its person, or as the agent that opened it.")
    .argument("<ID>", "the ticket")
    .argument("[REASON...]", "why")
    .option("--from <AGENT>", "withdraw it as this agent (default: HAP_AGENT_ID)")
    .addHelpText("after", examples('hap cancel 7k2m9x "No longer needed"', "hap cancel tk_4v9c2m7k2m9x --from agent:ci"))
    .action((id: string, reason: string[], options: Options) => cancel(context, id, reason.join(" "), options));
}

async function cancel(context: Context, typed: string, reason: string, options: Options): Promise<void> {
  const agent = options.from === undefined ? actingAgent(context) : parseAskerId(options.from, "--from");
  const why = reason === "" ? undefined : reason;
  const ticket = agent === null ? await cancelAsPerson(context, typed, why) : await withdraw(agent, typed, why);
  const how =
    ticket.resolution?.actor.kind === "agent"
      ? `Withdrawn by ${ticket.from}.`
      : `Canceled by ${personWords(ticket.resolution?.actor.id ?? "")}.`;
  printDone(context, ticket, "Ticket canceled.", [how]);
}

function withdraw(agent: string, id: string, reason: string | undefined): Promise<Ticket> {
  return asAgent(agent, (client) => client.cancel(id, reason));
}

/** What this account opened without naming an agent, and sent to somebody else, it may withdraw the same way. */
async function cancelAsPerson(context: Context, typed: string, reason: string | undefined): Promise<Ticket> {
  const { id, own } = await asPerson(context, async (client) => {
    const found = await client.getTicket(await resolveTicket(client, typed));
    if (found.from === DEFAULTS.agent && found.to !== client.person) return { id: found.id, own: null };
    return { id: found.id, own: await client.cancel(found.id, reason) };
  });
  return own ?? withdraw(DEFAULTS.agent, id, reason);
}
