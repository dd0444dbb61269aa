// hap wait: on any ticket that the caller may see, until it ends; the exit code says how.
import type { Command } from "commander";
import { actingAgent, asAgent, asPerson, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { WAIT_EXIT_HELP } from "../exit-codes.ts";
import { examples } from "../program.ts";
import { waitOutcome } from "../wait-outcome.ts";

type Options = { timeout?: string };

export function define(command: Command, context: Context): void {
  command
    .description("Wait until a ticket has ended, and print the outcome with the person's own words. Waiting decides nothing.")
    .argument("<ID>", "the ticket")
    .option("--timeout <TIME>", "give up after this long, and leave the ticket open: 5m")
    .addHelpText("after", WAIT_EXIT_HELP)
    .addHelpText("after", examples("hap wait tk_4v9c2m7k2m9x --timeout 5m", "hap wait 7k2m9x --json && make deploy"))
    .action((id: string, options: Options) => wait(context, id, options));
}

async function wait(context: Context, typed: string, options: Options): Promise<void> {
  const agent = actingAgent(context);
  if (agent === null) {
    return asPerson(context, async (client) => {
      const id = await resolveTicket(client, typed);
      await waitOutcome(context, options.timeout, (how) => client.wait(id, how));
    });
  }
  await asAgent(agent, async (client) => {
    const outcome = await waitOutcome(context, options.timeout, (how) => client.wait(typed, how));
    if (outcome !== null && outcome.status !== "open") await client.heard(typed);
  });
}
