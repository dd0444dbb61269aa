// Holds one plain command against the table: the program, its options, and every path that it would look at or change.
import type { Finding, ShellContext } from "../classification.ts";
import { allInside, type Cwds, enter } from "../paths/cwds.ts";
import { show } from "../show.ts";
import { expandGlob } from "./expand-glob.ts";
import { isProvenGit } from "./git-repository.ts";
import type { PlainCommand, PlainWord } from "./lex.ts";
import { PathProof } from "./path-proof.ts";
import { PROVEN_PROGRAMS } from "./programs.ts";
import type { GitUse, Reading } from "./reading.ts";
import { isSystemProgram } from "./resolve-program.ts";
import { readByRule } from "./rule.ts";

/** What a proven command does, and where the next one stands. `changes`: every real path that it may make, write or take away. */
export type Match = {
  readonly findings: readonly Finding[];
  readonly cwds: Cwds;
  readonly changes: readonly string[];
  readonly git?: GitUse;
};

/** The match, or undefined: not in the table, an unknown option, a path outside, a secret. `wrote`: the list changed files before. */
export function matchCommand(command: PlainCommand, cwds: Cwds, context: ShellContext, wrote: boolean): Match | undefined {
  const [name, ...rest] = command.words;
  if (name === undefined || !allInside(cwds, context)) return undefined;
  const program = name.text;
  if (program === "cd") return matchCd(command, cwds, context);
  const entry = PROVEN_PROGRAMS.get(program);
  if (entry === undefined || !isSystemProgram(program, context)) return undefined;
  // Some shells expand `a^b`; only a revision of git is worth it.
  if (rest.some((word) => word.revision && (program !== "git" || !/^[A-Za-z0-9][\w./~^-]*$/.test(word.text)))) return undefined;
  const folders = cwds.current ?? [];
  const globs = rest.some((word) => word.glob);
  if (globs && (wrote || folders.length > 1)) return undefined;
  const found: Found[] = [];
  for (const cwd of folders) {
    const args = expand(rest, cwd, context);
    const reading = args && (typeof entry === "function" ? entry(args) : readByRule(entry, args));
    if (reading === undefined) return undefined;
    if (reading.copy !== undefined && rest.at(-1)?.glob === true) return undefined;
    if (reading.git !== undefined && !isProvenGit(reading, cwd, context, wrote)) return undefined;
    const proof = new PathProof({ ...context, cwd }, globs);
    if (!proof.holds({ ...reading, contents: [...reading.contents, ...command.inputs] }, command.outputs)) return undefined;
    found.push({ reading, changes: proof.changes, removes: proof.removes });
  }
  const [first] = found;
  if (first === undefined) return undefined;
  const changes = found.flatMap((one) => one.changes);
  const git = first.reading.git;
  return { findings: describe(program, first, command), cwds, changes, ...(git !== undefined && { git }) };
}

type Found = { readonly reading: Reading; readonly changes: readonly string[]; readonly removes: boolean };

/** The words that the program gets; a word that a shell would expand comes as its matches. */
function expand(words: readonly PlainWord[], cwd: string, { disk }: ShellContext): readonly string[] | undefined {
  const args: string[] = [];
  for (const word of words) {
    const matches = word.glob ? disk && expandGlob(word.text, cwd, disk) : [word.text];
    if (matches === undefined) return undefined;
    args.push(...matches);
  }
  return args;
}

function describe(program: string, { reading, changes, removes }: Found, command: PlainCommand): readonly Finding[] {
  const findings: Finding[] = [];
  const trees = (reading.trees ?? []).map(({ path }) => path);
  const paths = [...reading.names, ...reading.contents, ...trees, ...command.inputs];
  if (paths.length > 0 || reading.git !== undefined)
    findings.push({
      effect: "read_inside",
      what: `${program} reads ${paths.length > 0 ? show(paths.join(" ")) : "the project"}`,
    });
  if (changes.length > 0 || reading.git === "index" || reading.git === "refs")
    findings.push({
      effect: "write_inside",
      what: `${program} changes ${changes.length > 0 ? show(changes.join(" ")) : "the repository"}`,
    });
  if (removes) findings.push({ effect: "delete_inside", what: `${program} deletes ${show(changes.join(" "))}` });
  return findings;
}

function matchCd(command: PlainCommand, cwds: Cwds, context: ShellContext): Match | undefined {
  const [, target, ...more] = command.words;
  const path = target?.text ?? "";
  if (more.length > 0 || path === "" || /^[-~]/.test(path) || target?.glob === true || target?.revision === true)
    return undefined;
  if (command.inputs.length + command.outputs.length > 0) return undefined;
  const next = enter(cwds, path, context.home, context.disk, command.always);
  return allInside(next, context) ? { findings: [], cwds: next, changes: [] } : undefined;
}
