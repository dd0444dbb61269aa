// hap tui: the inbox on the whole terminal, live. Its code is loaded when it is called.
import { HapError } from "@hap/protocol";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";

export function define(command: Command, context: Context): void {
  command
    .description(
      "Your inbox on the whole terminal, live: j and k move, Enter opens, a approves, r rejects, ? shows every key. A ticket that is shown counts as delivered; one that you open has its lease paused for ten minutes.",
    )
    .addHelpText("after", examples("hap tui", "ssh build-machine -t hap tui", "NO_COLOR=1 hap tui"))
    .action(() => tui(context));
}

async function tui(context: Context): Promise<void> {
  refuseAgent(context, "read a person's inbox (`hap list` shows your own tickets)");
  if (context.json)
    throw new HapError("invalid_input", "hap tui is a screen for people and has no JSON; use `hap inbox --json`.", {
      field: "--json",
    });
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY || context.env.TERM === "dumb")
    throw new HapError(
      "terminal_needed",
      "hap tui needs a terminal for its input and its output, one that can move the cursor. Run it in a terminal window, or use `hap inbox`.",
    );
  await asPerson(context, async (client) => {
    const { runTui } = await import("../tui/run-tui.ts");
    await runTui(context, client, stdin, stdout);
  });
}
