// The `term` command.
import { CommanderError } from "commander";
import { makeProgram } from "./commands/program.ts";
import { TermError } from "./term-error.ts";

const USAGE = 2;

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
