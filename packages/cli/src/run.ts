// From arguments to an exit code: load the one command that is called, run it, and tell what went wrong in one line.
import { CommanderError } from "commander";
import { isCommand } from "./command-table.ts";
import type { Context } from "./context.ts";
import { reportFailure, reportUsage } from "./failure.ts";
import { buildProgram } from "./program.ts";

export async function run(args: readonly string[], context: Context): Promise<void> {
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
