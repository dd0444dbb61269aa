// Programs that take a little program of their own as text: harmless only for forms that can neither write, run nor look around.
import type { Reader } from "./reading.ts";
import { LOOKS_AT_NOTHING } from "./reading.ts";
import { type Rule, readByRule } from "./rule.ts";

const SED_RULE: Rule = {
  letters: "nEr",
  long: ["quiet", "silent", "regexp-extended"],
  operands: "contents",
  patternUnless: [],
  // Lines by number, or one substitution whose flags are neither `e` (run) nor `w` (write).
  guard: (_options, [script = ""]) =>
    /^(?:\d+|\$)(?:,(?:\d+|\$))?[pd]$|^s([/|#,])(?:(?!\1).)*\1(?:(?!\1).)*\1[gpIi\d]*$/.test(script),
};

const AWK_RULE: Rule = {
  letters: "F:v:",
  operands: "contents",
  patternUnless: [],
  // No `>` or `|` (write, run), no `@` (load, indirect call), no way to other files or to the environment.
  guard: (_options, [program = ""]) => !/[>|@]|system|getline|ENVIRON|ARGV|SYMTAB|PROCINFO/.test(program),
};

const JQ_RULE: Rule = {
  letters: "rcesSnCMaj",
  long: [
    "raw-output",
    "compact-output",
    "slurp",
    "sort-keys",
    "null-input",
    "exit-status",
    "monochrome-output",
    "tab",
    "join-output",
  ],
  operands: "contents",
  patternUnless: [],
  guard: (_options, [filter = ""]) => !/env|import|include|modulemeta|search_list|builtins|input_/i.test(filter),
};

/** `sed` that prints. */
export const readSed: Reader = (args) => readByRule(SED_RULE, args);

/** `awk` that prints. */
export const readAwk: Reader = (args) => readByRule(AWK_RULE, args);

/** `jq` over named files or its input. */
export const readJq: Reader = (args) => readByRule(JQ_RULE, args);

/** `printf` with text only: some shells calculate `%d`, and `-v` assigns. */
export const readPrintf: Reader = ([format = ""]) =>
  !format.startsWith("-") && /^(?:[^%]|%%|%-?\d*[sb])*$/.test(format) ? LOOKS_AT_NOTHING : undefined;

/** `test` of one file or one text; `-v` and the numeric comparisons calculate, and calculation can run commands. */
export const readTest: Reader = (args) => {
  const [test = "", operand, ...more] = args[0] === "!" ? args.slice(1) : args;
  if (operand === undefined || more.length > 0) return undefined;
  if (/^-[edfrswxLhS]$/.test(test)) return { names: [operand], contents: [] };
  return /^-[nz]$/.test(test) ? LOOKS_AT_NOTHING : undefined;
};

/** `[ ... ]`, the same test. */
export const readBracket: Reader = (args) => (args.at(-1) === "]" ? readTest(args.slice(0, -1)) : undefined);
