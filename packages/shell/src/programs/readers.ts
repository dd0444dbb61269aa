// Programs of the table of proven programs used in a way that the table does not cover: the paths are named, the rest is unknown.
import { type Argument, exactly } from "../grammar/argument.ts";
import { readOptions } from "../grammar/read-options.ts";
import type { Call } from "../grammar/scan.ts";
import { listPath, noteSecret, readPath, writePath } from "../grammar/touch-path.ts";
import { canNameSecret } from "../paths/can-name-secret.ts";
import { PROVEN_PROGRAMS } from "../proof/programs.ts";
import type { Rule } from "../proof/rule.ts";
import { show } from "../show.ts";
import { noteSigns } from "./code-signs.ts";

/** Take no files at all. */
const SILENT = new Set(["echo", "printf", "true", "false", ":", "test", "["]);
/** Take a little program of their own first. */
const PROGRAM_FIRST = new Set(["awk", "jq"]);
/** Write a file that an option names. */
const OUTPUT = new Set(["sort", "tree"]);

/** Every operand is read; an option that is not in the table may do more. */
export function handleReader(call: Call): void {
  const { scan, program, args } = call;
  if (SILENT.has(program)) return;
  const entry = PROVEN_PROGRAMS.get(program);
  const rule = typeof entry === "function" ? undefined : entry;
  const odd = args.find((arg) => /^-./.test(arg.text) && !isKnown(rule, arg.text));
  const options = readOptions(args, `${rule?.letters ?? "F:v:"}o:`, [...(rule?.long ?? []), "output="]);
  const ownProgram = PROGRAM_FIRST.has(program) || (rule?.patternUnless !== undefined && !options.has("e", "regexp", "files"));
  notePaths(call, rule, options.operands.slice(ownProgram ? 1 : 0));
  for (const glob of options.values("include", "glob", "g"))
    if (canNameSecret(glob.text)) scan.note("credentials", `${program} searches ${show(glob.raw)}`);
  if (OUTPUT.has(program)) for (const file of options.values("o", "output")) writePath(scan, file, program);
  if (odd !== undefined) {
    scan.note("unknown", `${program} has an option outside the table: ${show(odd.raw)}`);
    for (const arg of args) noteSecret(scan, arg, program);
  }
  if (!PROGRAM_FIRST.has(program)) return;
  scan.note("unknown", `${program} runs the code ${show(options.operands[0]?.text ?? "in a file")}`);
  noteSigns(scan, program, options.operands[0]?.text ?? "");
}

function notePaths({ scan, program }: Call, rule: Rule | undefined, operands: readonly Argument[]): void {
  if (rule?.operands === "none" || rule?.operands === "words") {
    scan.note("unknown", `${program} is used in a way outside the table`);
    return;
  }
  operands.forEach((path, index) => {
    if (program === "uniq" && index === 1) writePath(scan, path, program);
    else if (rule?.operands === "names") listPath(scan, path, program);
    else if (path.text !== "-") readPath(scan, path, program);
  });
  if (operands.length === 0 && rule?.here === true) listPath(scan, exactly("."), program);
}

function isKnown(rule: Rule | undefined, option: string): boolean {
  if (rule === undefined) return false;
  const long = /^--([\w-]+)/.exec(option)?.[1];
  if (long !== undefined) return rule.long?.some((name) => name.replace(/=\??$/, "") === long) === true;
  if (/^-\d+$/.test(option) && rule.number) return true;
  for (const letter of option.slice(1)) {
    const index = rule.letters?.indexOf(letter) ?? -1;
    if (index < 0) return false;
    if (/[:?]/.test(rule.letters?.charAt(index + 1) ?? "")) return true;
  }
  return true;
}
