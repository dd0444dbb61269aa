// A shell command as rules see it: every simple command that it may run, also inside substitutions, groups, `sh -c`, wrappers such as
// `env` and `timeout`, texts that a shell reads and scripts on disk; and every word that may name a file. When in doubt there is
// more, never less.
import { evaluateWord, forEachChild, parse, readingSteps, type SyntaxNode } from "@hap/shell/grammar";
import { APPENDS_INPUT, argumentsAreData, isShell, programName, READS_TEXT, runsInput, WRAPPERS } from "./command-programs.ts";
import { Variables } from "./shell-variables.ts";

/** `known` is false for a word that is decided when the command runs. */
export type ShellWord = { text: string; known: boolean; glob: boolean };

/** A simple command, the program first. `guess`: words of another program, which may or may not run them. */
export type ShellCall = { words: ShellWord[]; guess: boolean };

export type CommandReading = {
  calls: ShellCall[];
  /** Every word, with what assignments, redirections and here-documents hold. */
  words: ShellWord[];
  /** Targets of redirections that write. */
  written: ShellWord[];
  /** False when some of it could not be read: then every rule that forbids must be taken to match. */
  whole: boolean;
};

export type CommandPlaces = {
  cwd: string;
  home: string;
  /** The environment of commands. */
  env?: Readonly<Record<string, string | undefined>>;
  /** The text of a script, or null when there is none that can be read. */
  readScript?: (path: string) => string | null;
};

const LONGEST = 65_536;
const MOST_STEPS = 4_000_000;
const MOST_CALLS = 4_000;
const DEEPEST = 12;
const MOST_VARIANTS = 16;
const UNKNOWN: ShellWord = { text: "", known: false, glob: false };

/** Programs whose output is what they were given. */
const REPEATS = new Set("echo printf cd pushd set export true : test [ sleep".split(" "));
/** Variables that name a command which some program will run. */
const NAMES_COMMAND = /EDITOR|COMMAND|PAGER|CMD|SHELL|BROWSER|ASKPASS|EXEC|HOOK/;

/** Read a command. Never throws. */
export function readCommand(command: string, places: CommandPlaces): CommandReading {
  const reading: CommandReading = { calls: [], words: [], written: [], whole: true };
  try {
    new Reader(reading, places).read(command);
  } catch {
    reading.whole = false;
  }
  return reading;
}

class Reader {
  readonly #reading: CommandReading;
  readonly #known: { home: string; pwd: string };
  readonly #variables: Variables;
  readonly #readScript: (path: string) => string | null;
  readonly #scriptsRead = new Set<string>();
  #steps = 0;
  /** A shell that reads its input: then every text of the command may be what it reads. */
  #shellReadsInput = false;

  constructor(reading: CommandReading, { cwd, home, env = {}, readScript = () => null }: CommandPlaces) {
    this.#reading = reading;
    this.#known = { home, pwd: cwd };
    this.#variables = new Variables(env, this.#known);
    this.#readScript = readScript;
  }

  read(command: string): void {
    this.#script(command, 0, false);
    if (!this.#shellReadsInput) return;
    const { words, calls } = this.#reading;
    const produced = calls.filter(({ guess }) => !guess);
    const repeats = ({ words: [first] }: ShellCall) =>
      first?.known === true &&
      (REPEATS.has(programName(first.text)) || isShell(programName(first.text)) || isWrapper(first) || isSource(first));
    // What another program prints is not known here.
    if (!produced.every(repeats)) this.#reading.whole = false;
    for (const { text } of [...words]) this.#maybeScript(text, 1, false);
    for (const call of produced) this.#maybeScript(textOf(call.words.slice(1)), 1, false);
  }

  #script(text: string, depth: number, guess: boolean): void {
    this.#steps += text.length + readingSteps(text, MOST_STEPS);
    if (text.length > LONGEST || depth > DEEPEST || this.#steps > MOST_STEPS) {
      this.#reading.whole = false;
      return;
    }
    const script = parse(text);
    if (depth === 0 && (script.errors?.length ?? 0) > 0) this.#reading.whole = false;
    this.#variables.collect(script);
    this.#visit(script, depth, guess);
  }

  /** A text that may be a script. */
  #maybeScript(text: string, depth: number, guess: boolean): void {
    if (/\s|[$`;&|]/.test(text.trim())) this.#script(text, depth, guess);
  }

  #visit(node: SyntaxNode, depth: number, guess: boolean): void {
    const { words, written } = this.#reading;
    if (node.type === "Command") {
      const own = [node.name, ...node.args].flatMap((arg) =>
        arg === undefined ? [] : [arg.type === "Word" ? this.#word(arg) : this.#assignment(arg)],
      );
      if (own.length > 0) for (const variant of this.#variants(own)) this.#call(variant, depth, guess);
    } else if (node.type === "Assignment") {
      const { text } = this.#assignment(node);
      const value = text.slice(text.indexOf("=") + 1);
      if (NAMES_COMMAND.test(node.name)) this.#maybeScript(value, depth + 1, false);
      if (node.name === "BASH_ENV") this.#fileScript(value, depth);
    } else if (node.type === "Word" && !guess) words.push(...this.#alternatives(this.#word(node)));
    else if (!guess && node.type === "Redirect" && node.target !== undefined && node.operator !== "<" && node.operator !== "<&") {
      const target = this.#word(node.target);
      if (!/^(?:\d+-?|-)$/.test(target.text)) written.push(...this.#alternatives(target));
    } else if (node.type === "HereDoc" && !guess) words.push({ text: node.body.text, known: true, glob: false });
    forEachChild(node, (child) => this.#visit(child, depth, guess));
  }

  #word(word: Parameters<typeof evaluateWord>[0]): ShellWord {
    const { text, certainty } = evaluateWord(word, this.#known);
    return { text, known: certainty !== "dynamic", glob: certainty === "pattern" };
  }

  #assignment({ name, value, text }: Extract<SyntaxNode, { type: "Assignment" }>): ShellWord {
    if (value.type !== "Word") return { text, known: false, glob: false };
    const word = this.#word(value);
    return { ...word, text: `${name}=${word.text}` };
  }

  /** A word with its variables filled in; itself when they are not known. */
  #alternatives(word: ShellWord): ShellWord[] {
    const texts = word.known ? null : this.#variables.expand(word.text);
    return texts === null ? [word] : texts.map((text) => ({ text, known: true, glob: /[*?[{]/.test(text) }));
  }

  /** The calls that the words of one may be: variables filled in and split, braces expanded. */
  #variants(words: readonly ShellWord[]): ShellWord[][] {
    let variants: ShellWord[][] = [[]];
    for (const word of words) {
      const choices = this.#alternatives(word).flatMap((one): ShellWord[][] => {
        if (word.known) return [one.glob ? expandBraces(one.text).map((text) => ({ ...one, text })) : [one]];
        const split = one.text.split(/[\s,;:]+/).filter(Boolean);
        return !one.known || split.length < 2 ? [[one]] : [[one], split.map((text) => ({ ...one, text }))];
      });
      // More than can be looked at one by one: the word may be any.
      const taken = variants.length * choices.length > MOST_VARIANTS ? [[{ ...word, known: false }]] : choices;
      variants = variants.flatMap((before) => taken.map((one) => [...before, ...one]));
    }
    return variants;
  }

  /** A call, and the calls that its words may be: those after a wrapper for certain, those of other programs perhaps. */
  #call(words: readonly ShellWord[], depth: number, guess: boolean): void {
    let wrapped = true;
    let appended = false;
    const isData = argumentsAreData(words.map(({ text }) => text));
    for (let at = 0; at < words.length; at++) {
      const first = words[at] as ShellWord;
      if (at > 0 && (isData || first.text.startsWith("-"))) continue;
      if (this.#reading.calls.length >= MOST_CALLS || depth > DEEPEST) {
        this.#reading.whole = false;
        return;
      }
      const call: ShellCall = {
        words: [...words.slice(at), ...(appended ? [UNKNOWN] : [])],
        guess: guess || !(at === 0 || wrapped),
      };
      this.#reading.calls.push(call);
      if (at === 0) wrapped = false;
      if (!first.known) continue;
      if (isWrapper(first) && !call.guess) wrapped = true;
      if (APPENDS_INPUT.has(programName(first.text))) appended = true;
      this.#inside(call, depth);
    }
  }

  /** Texts of a call that a shell reads. */
  #inside({ words, guess }: ShellCall, depth: number): void {
    const [first, ...args] = words;
    if (first === undefined) return;
    const name = programName(first.text);
    if (isShell(name) || isSource(first)) {
      this.#shell(name, args, depth, guess);
      return;
    }
    if (first.text.includes("/") && !guess) this.#fileScript(first.text, depth);
    if (
      !guess &&
      runsInput(
        name,
        args.map(({ text }) => text),
      )
    )
      this.#shellReadsInput = true;
    if (name === "eval") this.#script(textOf(args), depth + 1, guess);
    const reads = READS_TEXT.has(name);
    if (!reads && argumentsAreData(words.map(({ text }) => text))) return;
    for (const { text } of args) {
      // What an option or an alias is set to counts by itself, and so does what a program's own escape (`!`) runs.
      const texts = [text, text.slice(text.indexOf("=") + 1), text.replace(/^[^=]*=?[+:]*!/, "")];
      for (const one of new Set(texts)) if (/\s/.test(one.trim())) this.#maybeScript(one, depth + 1, guess || !reads);
    }
  }

  /** A shell with `-c TEXT`, with a file, or with its input. */
  #shell(name: string, args: readonly ShellWord[], depth: number, guess: boolean): void {
    const takesText = args.some(({ text }) => /^-\w*c$/.test(text));
    if (takesText && isShell(name)) {
      for (const { text } of args) if (!/^-\w/.test(text)) this.#maybeScript(text, depth + 1, guess);
      return;
    }
    const file = args.find(({ text }) => !/^[-+]/.test(text));
    const isInput =
      file === undefined || args.some(({ text }) => text === "-s") || /^(?:-|\/dev\/|\/proc\/|[<>]\()/.test(file.text);
    if (!isInput && file.known && this.#fileScript(file.text, depth)) return;
    if (!guess) this.#shellReadsInput ||= isInput || file?.known === false || this.#reading.written.length > 0;
    for (const { text } of args) if (/\s|[;&|]/.test(text)) this.#maybeScript(text, depth + 1, guess);
  }

  /** A script on disk; true when it was read. */
  #fileScript(path: string, depth: number): boolean {
    if (this.#scriptsRead.has(path)) return true;
    const text = this.#readScript(path);
    if (text === null) return false;
    this.#scriptsRead.add(path);
    this.#script(text, depth + 1, false);
    return true;
  }
}

const isWrapper = ({ text }: ShellWord) => WRAPPERS.has(programName(text));
const isSource = ({ text }: ShellWord) => text === "source" || text === ".";
const textOf = (words: readonly ShellWord[]) => words.map(({ text }) => text).join(" ");

/** `a{b,c}d` as the words that it becomes. */
function expandBraces(text: string): string[] {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(text);
  if (match === null) return [text];
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)];
  return (match[1] as string)
    .split(",")
    .slice(0, MOST_VARIANTS)
    .flatMap((part) => expandBraces(before + part + after))
    .filter((one) => one !== "")
    .slice(0, 64);
}
