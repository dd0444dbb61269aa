// Rules of the form `Bash(git push:*)` that forbid or ask, held against everything that a command may run. Options between the words
// of a rule, the program's folder and the order of short options do not matter; a word that is decided later may be any. Pure.
import { type CommandReading, programName, type ShellCall, type ShellWord } from "./read-command.ts";

/** Programs that run code given as an argument, where only the words themselves can be looked for. */
const INTERPRETERS =
  /^(?:python|pypy|node|deno|bun|perl|ruby|php|lua|osascript|awk|gawk|mawk|expect|tclsh|powershell|pwsh)[\d.]*$/;

/** True when some part of the command is, or may be, what the pattern names. */
export function mayRun(pattern: string, reading: CommandReading): boolean {
  if (!reading.whole) return true;
  const start = /^(.*?)(?::\*| \*)$/s.exec(pattern)?.[1];
  const plain = start ?? pattern;
  if (plain.includes("*")) return reading.calls.some((call) => fitsWildcard(pattern, call));
  const words = plain.trim().split(/\s+/);
  return reading.calls.some((call) => fitsWords(words, call.words, start === undefined) || namesInCode(words, call));
}

function fitsWords(rule: readonly string[], words: readonly ShellWord[], whole: boolean): boolean {
  const [program, ...rest] = rule;
  const [first, ...args] = words;
  if (program === undefined || first === undefined) return false;
  if (first.known && programName(first.text) !== programName(program)) return false;
  const options = rest.filter(isOption);
  if (!options.every((option) => hasOption(option, args))) return false;
  const operands = rest.filter((word) => !isOption(word));
  return fitsOperands(operands, 0, args, 0, whole && options.length === 0);
}

/** Rule words in order; between them only options and what may be their values. */
function fitsOperands(
  rule: readonly string[],
  at: number,
  args: readonly ShellWord[],
  position: number,
  whole: boolean,
): boolean {
  const wanted = rule[at];
  if (wanted === undefined) return !whole || position === args.length;
  const word = args[position];
  if (word === undefined) return false;
  if ((!word.known || word.text === wanted) && fitsOperands(rule, at + 1, args, position + 1, whole)) return true;
  if (!isOption(word.text) && word.known) return false;
  return fitsOperands(rule, at, args, position + 1, whole) || fitsOperands(rule, at, args, position + 2, whole);
}

const isOption = (word: string) => word.startsWith("-") && word.length > 1;
const isCluster = (word: string) => /^-[A-Za-z]+$/.test(word);

function hasOption(option: string, args: readonly ShellWord[]): boolean {
  if (args.some(({ text, known }) => !known || text === option || text.startsWith(`${option}=`))) return true;
  if (!isCluster(option)) return false;
  const letters = args
    .filter(({ text }) => isCluster(text))
    .map(({ text }) => text.slice(1))
    .join("");
  return [...option.slice(1)].every((letter) => letters.includes(letter));
}

/** A pattern with `*` inside: as text, with the program's bare name. */
function fitsWildcard(pattern: string, { words }: ShellCall): boolean {
  const [first, ...args] = words;
  if (first === undefined) return false;
  if (words.some(({ known }) => !known)) {
    const program = pattern.split(/\s+/)[0] ?? "";
    return !first.known || wildcard(programName(program)).test(programName(first.text));
  }
  const text = [programName(first.text), ...args.map((arg) => arg.text)].join(" ");
  const written = words.map((word) => word.text).join(" ");
  const expression = wildcard(pattern.replace(/:\*$/, "*"));
  return expression.test(text) || expression.test(written);
}

function wildcard(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
      .join("[\\s\\S]*")}$`,
  );
}

/** `python -c "run(['git', 'push'])"`. */
function namesInCode(rule: readonly string[], { words }: ShellCall): boolean {
  const [first, ...args] = words;
  if (first === undefined || !INTERPRETERS.test(programName(first.text))) return false;
  const named = new RegExp(rule.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("\\W+"));
  return args.some(({ text }) => named.test(text));
}
