// The `term` command.
import { CommanderError } from "commander";
import { makeProgram } from "./commands/program.ts";
import { TermError } from "./term-error.ts";

const USAGE = 2;

/** Settles when the command has ended; never rejects for an error that has words. */
export const done = main();

async function main(): Promise<void> {
  try {
    const program = makeProgram((code) => {
      process.exitCode = code;
    });
    for (const command of [program, ...program.commands.flatMap((child) => [child, ...child.commands])]) command.exitOverride();
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE;
    else if (error instanceof TermError) {
      process.stderr.write(`term: ${error.message}\n`);
      process.exitCode = error.exitCode;
    } else throw error;
  }
}
