// hap claude: the help of it. What it does is in agent/run-agent.ts, since every argument is the agent's own.
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";

export function define(command: Command, _context: Context): void {
  command
    .description(
      "Run Claude Code behind the gate: calls that matter become tickets, everything else runs. The gate is on its command line, so no file is changed and it ends with the session. The inbox is started in the background if none runs, and ends with the last agent.",
    )
    .argument("[ARGS...]", "arguments of claude, as they are")
    .allowUnknownOption()
    .addHelpText("after", "\n`hap claude -- --help` shows the help of Claude Code. Exit code and signals are its own.")
    .addHelpText("after", "To gate every session instead, also those that you start otherwise: `hap init claude`.")
    .addHelpText(
      "after",
      examples("hap claude", 'hap claude -p "Fix the failing test"', "hap claude --dangerously-skip-permissions"),
    );
}
