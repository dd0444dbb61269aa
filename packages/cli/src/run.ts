// From arguments to an exit code: load the one command that is called, run it, and tell what went wrong in one line.
import { CommanderError } from "commander";
import type { Launched } from "./agent/run-agent.ts";
import { isCommand } from "./command-table.ts";
import type { Context } from "./context.ts";
import { reportFailure, reportUsage } from "./failure.ts";
import { buildProgram } from "./program.ts";

/** Agents that are started with whatever comes behind their name. */
const AGENTS = ["claude", "codex"] as const satisfies readonly Launched[];

export async function run(args: readonly string[], context: Context): Promise<void> {
  const agent = AGENTS.find((name) => name === args[0]);
  if (agent !== undefined && args[1] !== "--help" && args[1] !== "-h") return runGated(context, agent, args.slice(1));
  const words = args.filter((arg) => !arg.startsWith("-"));
  const called = words[0] === "help" ? words[1] : words[0];
  const complaints: string[] = [];
  try {
    const program = await buildProgram(context, called, (text) => complaints.push(text));
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) await reportFailure(context, error);
    // Help and version end this way too, and are no failure.
    else if (error.exitCode !== 0) reportUsage(context, complaints.join(""), isCommand(called) ? called : null);
  }
}

/** Every argument is the agent's: `hap codex exec --json` prints what Codex prints. A first `--` is for its own `--help`. */
async function runGated(context: Context, agent: Launched, args: readonly string[]): Promise<void> {
  try {
    const { runAgent } = await import("./agent/run-agent.ts");
    await runAgent(context, agent, args[0] === "--" ? args.slice(1) : args);
  } catch (error) {
    await reportFailure(context, error);
  }
}
