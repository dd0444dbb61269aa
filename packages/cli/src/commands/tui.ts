// hap tui: the inbox on the whole terminal, live. Its code is loaded when it is called.
import { HapError, LIMITS, UNDO_SECONDS } from "@hap/protocol";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { parseDuration } from "../input/duration.ts";
import { examples } from "../program.ts";

export function define(command: Command, context: Context): void {
  command
    .description(
      "Your inbox on the whole terminal, live: j and k move, Enter opens, a approves, r rejects, ? shows every key. A ticket that is shown counts as delivered; one that you open has its timer paused for ten minutes. A yes to a notable ticket can be undone (u) for 3 seconds.",
    )
    .option(
      "--undo <seconds>",
      "how long a yes to a notable ticket can be undone; 0 for not at all",
      String(UNDO_SECONDS.notable),
    )
    .option("--undo-routine <seconds>", "the same for routine tickets", String(UNDO_SECONDS.routine))
    .addHelpText("after", examples("hap tui", "ssh build-machine -t hap tui", "NO_COLOR=1 hap tui"))
    .action((options: Options) => tui(context, options));
}

type Options = { undo: string; undoRoutine: string };

/** Seconds of an option, within what a server holds. */
function readSeconds(text: string, name: string): number {
  const seconds = parseDuration(text, name);
  if (seconds <= LIMITS.holdSecondsMax) return seconds;
  throw new HapError("invalid_input", `${name} is ${text}; a yes is held for ${LIMITS.holdSecondsMax} seconds at most.`, {
    field: name,
  });
}

async function tui(context: Context, options: Options): Promise<void> {
  refuseAgent(context, "read a person's inbox (`hap list` shows your own tickets)");
  if (context.json)
    throw new HapError("invalid_input", "hap tui is a screen for people and has no JSON; use `hap inbox --json`.", {
      field: "--json",
    });
  const undoSeconds = {
    routine: readSeconds(options.undoRoutine, "--undo-routine"),
    notable: readSeconds(options.undo, "--undo"),
  };
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY || context.env.TERM === "dumb")
    throw new HapError(
      "terminal_needed",
      "hap tui needs a terminal for its input and its output, one that can move the cursor. Run it in a terminal window, or use `hap inbox`.",
    );
  await asPerson(context, async (client) => {
    const { runTui } = await import("../tui/run-tui.ts");
    await runTui(context, client, { input: stdin, output: stdout, undoSeconds });
  });
}
