// Rules of the form `Bash(git push:*)` that forbid or ask, held against everything that a command may run. Options between the words
// of a rule, the program's folder and the order of short options do not matter; a word that is decided later may be any. Pure.
import { isInterpreter, programName } from "./command-programs.ts";
import { globToRegExp } from "./glob.ts";
import type { CommandReading, ShellCall, ShellWord } from "./read-command.ts";

/** True when some part of the command is, or may be, what the pattern names. */
export function mayRun(pattern: string, reading: CommandReading): boolean {
  if (!reading.whole) return true;
  const start = /^(.*?)(?::\*| \*)$/s.exec(pattern)?.[1];
  const plain = start ?? pattern;
  const words = plain.trim().split(/\s+/);
  // One word may stand among the arguments of any program; two in a row are hardly there by chance.
  const calls = reading.calls.filter(({ guess, words: [first] }) => !guess || (words.length > 1 && first?.known === true));
  if (plain.includes("*")) return calls.some((call) => fitsWildcard(pattern, call));
  return calls.some(
    (call) => fitsWords(words, call.words, start === undefined) || namesInCode(words, call) || mayBeAlias(words, call),
  );
}

function fitsWords(rule: readonly string[], words: readonly ShellWord[], whole: boolean): boolean {
  const [program, ...rest] = rule;
  const [first, ...args] = words;
  if (program === undefined || first === undefined) return false;
  if (isUnknownProgram(first)) return true;
  if (!fitsProgram(first, program)) return false;
  const options = rest.filter(isOption);
  if (!options.every((option) => hasOption(option, args))) return false;
  const operands = rest.filter((word) => !isOption(word));
  return fitsOperands(operands, 0, args, 0, whole && options.length === 0);
}

/** A program whose name is decided later may be any, with any arguments. `$folder/name` has a name. */
const isUnknownProgram = ({ text, known }: ShellWord) => !known && /[$`]|^$|[<>]\(/.test(text.slice(text.lastIndexOf("/") + 1));

function fitsProgram({ text, glob }: ShellWord, wanted: string): boolean {
  const [name, rule] = [programName(text), programName(wanted)];
  return name === rule || (glob && globToRegExp(name).test(rule));
}

const fitsWord = ({ text, known, glob }: ShellWord, wanted: string) =>
  !known || text === wanted || (glob && globToRegExp(text).test(wanted));

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
  if (fitsWord(word, wanted) && fitsOperands(rule, at + 1, args, position + 1, whole)) return true;
  // What is decided later may be several words.
  if (!word.known && fitsOperands(rule, at + 1, args, position, whole)) return true;
  if (!isOption(word.text) && word.known) return false;
  return fitsOperands(rule, at, args, position + 1, whole) || fitsOperands(rule, at, args, position + 2, whole);
}

const isOption = (word: string) => word.startsWith("-") && word.length > 1;
const isCluster = (word: string) => /^-[A-Za-z]+$/.test(word);

function hasOption(option: string, args: readonly ShellWord[]): boolean {
  if (args.some((arg) => fitsWord(arg, option) || arg.text.startsWith(`${option}=`))) return true;
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
  if (isUnknownProgram(first)) return true;
  if (words.some(({ known, glob }) => !known || glob))
    return wildcard(programName(pattern.split(/\s+/)[0] ?? "")).test(programName(first.text));
  const text = [programName(first.text), ...args.map((arg) => arg.text)].join(" ");
  const written = words.map((word) => word.text).join(" ");
  const expression = wildcard(pattern.replace(/:\*$/, "*"));
  return expression.test(text) || expression.test(written);
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");

function wildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.split("*").map(escaped).join("[\\s\\S]*")}$`);
}

/** `python -c "run(['git', 'push'])"`. */
function namesInCode(rule: readonly string[], { words }: ShellCall): boolean {
  const [first, ...args] = words;
  if (first === undefined || !isInterpreter(programName(first.text))) return false;
  const named = new RegExp(rule.map(escaped).join("\\W+"));
  return args.some(({ text }) => named.test(text));
}

/** `git -c alias.p=push p`, or an alias that is made now: it may stand for any command of git. */
function mayBeAlias(rule: readonly string[], { words }: ShellCall): boolean {
  const [first, ...args] = words;
  if (programName(rule[0] ?? "") !== "git" || rule.length < 2 || first === undefined || programName(first.text) !== "git")
    return false;
  return args.some(({ text, known }) => /^(?:--config-env=|--config=)?alias\./i.test(text) || (!known && args[0]?.text === "-c"));
}
