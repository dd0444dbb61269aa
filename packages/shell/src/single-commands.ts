// The single commands of a command line, as words (D43): only where the small lexer reads the whole text, and no shell would make
// other words of it.
import type { ShellContext } from "./classification.ts";
import { lexPlain } from "./proof/lex.ts";
import { isSystemProgram } from "./proof/resolve-program.ts";

/** Each command's words, and the files that it is redirected from and to. */
export type SingleCommands = { readonly commands: readonly (readonly string[])[]; readonly redirects: readonly string[] };

const LONGEST = 4096;
/** Words that run what follows them, or change what later commands mean: they are never part of a grant. */
const CHANGES_MEANING: ReadonlySet<string> = new Set([
  ".",
  "alias",
  "builtin",
  "command",
  "env",
  "eval",
  "exec",
  "export",
  "hash",
  "set",
  "shopt",
  "source",
  "trap",
  "unalias",
  "xargs",
]);

/** The commands word by word, or undefined when a shell could run anything else than exactly these words. */
export function singleCommands(command: string): SingleCommands | undefined {
  if (command.length > LONGEST) return undefined;
  const plain = lexPlain(command);
  if (plain === undefined) return undefined;
  for (const { words } of plain) {
    const program = words[0]?.text ?? "";
    if (CHANGES_MEANING.has(program)) return undefined;
    // A glob becomes other words when it runs, and a file may be named like an option.
    if (words.some(({ glob, revision }) => glob || (revision && program !== "git"))) return undefined;
  }
  return {
    commands: plain.map(({ words }) => words.map(({ text }) => text)),
    redirects: plain.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]),
  };
}

/** True when every program of a command is one of the system: not in a folder that an agent can write. */
export function usesSystemPrograms(command: string, context: ShellContext): boolean {
  const single = singleCommands(command);
  return single?.commands.every(([program = ""]) => isSystemProgram(program, context)) ?? false;
}
