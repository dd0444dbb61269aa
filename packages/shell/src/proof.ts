// The fast path, importable alone: decides without the shell grammar whether a command is harmless. It never guesses:
// undefined means "not shown to be harmless here", and the grammar then names the effects.
import { type Classification, conclude, type Finding, type ShellContext } from "./classification.ts";
import { rejoin, startIn } from "./paths/cwds.ts";
import { lexPlain } from "./proof/lex.ts";
import { matchCommand } from "./proof/match-command.ts";

export type { Classification, Finding, ShellContext } from "./classification.ts";
export type { Need } from "./effects.ts";

const LONGEST = 4096;

/** The harmless classification of a command all of whose parts are in the table, or undefined. Never throws. */
export function proveCommand(command: string, context: ShellContext): Classification | undefined {
  if (command.length > LONGEST || context.dialect === "unknown") return undefined;
  const commands = lexPlain(command);
  if (commands === undefined) return undefined;
  const findings: Finding[] = [];
  let cwds = startIn(context);
  for (const { words, afterSuccess } of commands) {
    const match = matchCommand(words, afterSuccess ? cwds : rejoin(cwds), context);
    if (match === undefined) return undefined;
    findings.push(...match.findings);
    cwds = match.cwds;
  }
  return conclude(true, findings);
}
