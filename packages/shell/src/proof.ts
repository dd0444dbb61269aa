// The fast path, importable alone: proves without the shell grammar that a command stays inside the project. Undefined means "not
// proven"; the grammar then names the effects.
import { type Classification, conclude, type Finding, type ShellContext } from "./classification.ts";
import { rejoin, startIn } from "./paths/cwds.ts";
import { lexPlain } from "./proof/lex.ts";
import { matchCommand } from "./proof/match-command.ts";

export type { Classification, Finding, ShellContext } from "./classification.ts";
export type { Need } from "./effects.ts";
export type { Disk } from "./paths/disk.ts";
export { usesSystemPrograms } from "./single-commands.ts";
export { MOST_SUBSTITUTIONS, opensTooMany } from "./substitutions.ts";

const LONGEST = 4096;

/** What a proven command does. */
export type Proof = {
  readonly findings: readonly Finding[];
  /** Real paths that it may make, write or take away. */
  readonly changes: readonly string[];
};

/** The classification of a command all of whose parts are in the table, or undefined. Never throws. */
export function proveCommand(command: string, context: ShellContext): Classification | undefined {
  const proof = prove(command, context);
  return proof && conclude(true, proof.findings);
}

/** The proof itself, with everything that the command may change. */
export function prove(command: string, context: ShellContext): Proof | undefined {
  if (command.length > LONGEST || context.dialect === "unknown") return undefined;
  const commands = lexPlain(command);
  let cwds = startIn(context);
  if (commands === undefined || cwds.current === undefined) return undefined;
  const findings: Finding[] = [];
  const changes: string[] = [];
  let waited = false;
  for (const one of commands) {
    // A proof is about the disk now. Behind a pause, another command of the agent may have changed it.
    if (waited) return undefined;
    waited = one.words[0]?.text === "sleep";
    const match = matchCommand(one, one.afterSuccess ? cwds : rejoin(cwds), context, changes.length > 0);
    if (match === undefined) return undefined;
    findings.push(...match.findings);
    changes.push(...match.changes);
    cwds = match.cwds;
  }
  return { findings, changes };
}
