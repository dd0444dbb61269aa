// hap hook: the gate as one command, for hosts that start `hap` itself. `hap init` installs the lean binary instead.
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";

export async function define(command: Command, _context: Context): Promise<void> {
  const { HOST_NAMES } = await import("@hap/door-hook/install");
  command
    .description(
      "Answer one hook of Claude Code or Codex: the host's JSON on standard input, its answer on standard output. `hap init` writes\nthe lean binary hap-hook into the settings, which does the same and starts faster.",
    )
    .argument("<HOST>", HOST_NAMES)
    .argument("[OPTIONS...]", "the options of hap-hook: --store, --agent, --to, --project, --wait, --ttl, --run")
    .allowUnknownOption()
    .addHelpText("after", "\nExit code: 0 with an answer on standard output; 2 when the gate failed, which hosts take for no.")
    .addHelpText("after", examples("hap hook claude < event.json", "hap hook codex --wait 60 < event.json"))
    .action(async () => {
      const { runHook } = await import("@hap/door-hook");
      await runHook(command.args);
    });
}
