// From arguments to an exit code: load the one command that is called, run it, and tell what went wrong in one line.
import { CommanderError } from "commander";
import type { Context } from "./context.ts";
import { reportFailure, reportUsage } from "./failure.ts";
import { buildProgram } from "./program.ts";

export async function run(args: readonly string[], context: Context): Promise<void> {
  const words = args.filter((arg) => !arg.startsWith("-"));
  const called = words[0] === "help" ? words[1] : words[0];
  try {
    const program = await buildProgram(context, (entry) => entry.name === called);
    if (args.length === 0) return reportUsage(context, program.helpInformation(), null);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return reportUsage(context, error.message, called ?? null, error);
    await reportFailure(context, error);
  }
}
