// A shell command as rules see it: every simple command that it may run, also inside substitutions, groups, `sh -c`, wrappers such as
// `env` and `timeout`, and texts that a shell reads; and every word that may name a file. When in doubt there is more, never less.
import { evaluateWord, forEachChild, parse, readingSteps, type SyntaxNode } from "@hap/shell/grammar";

/** `known` is false for a word that is decided when the command runs. */
export type ShellWord = { text: string; known: boolean; glob: boolean };

/** A simple command, the program first. */
export type ShellCall = { words: ShellWord[] };

export type CommandReading = {
  calls: ShellCall[];
  /** Every word, with what assignments, redirections and here-documents hold. */
  words: ShellWord[];
  /** Targets of redirections that write. */
  written: ShellWord[];
  /** False when some of it could not be read: then every rule that forbids must be taken to match. */
  whole: boolean;
};

const LONGEST = 65_536;
const MOST_STEPS = 4_000_000;
const MOST_CALLS = 2_000;
const DEEPEST = 12;

const SHELLS = /^(?:ba|da|z|k|a|fi|tc|c)?sh$/;
/** Programs whose arguments are, or hold, another command. */
const WRAPPERS = new Set(
  "env nohup setsid time command builtin exec nice ionice chrt taskset stdbuf timeout gtimeout watch strace ltrace flock script chronic caffeinate unbuffer busybox toybox chroot nsenter unshare setpriv bwrap firejail sudo doas su runuser pkexec gosu xargs parallel find fd fdfind entr systemd-run ssh rlwrap proxychains torsocks xvfb-run dbus-run-session coproc noglob nocorrect at batch expect npx bunx".split(
    " ",
  ),
);
/** Programs that read an argument as shell text. */
const READS_TEXT = new Set([
  "eval",
  "trap",
  "alias",
  "watch",
  "script",
  "flock",
  "su",
  "ssh",
  "env",
  "xargs",
  "parallel",
  "find",
  "entr",
]);

/** Read a command. Never throws. */
export function readCommand(command: string, places: { cwd: string; home: string }): CommandReading {
  const reading: CommandReading = { calls: [], words: [], written: [], whole: true };
  try {
    new Reader(reading, places).text(command, 0);
  } catch {
    reading.whole = false;
  }
  return reading;
}

/** A program's name without its folder, as file systems may fold it. */
export function programName(text: string): string {
  return text.slice(text.lastIndexOf("/") + 1).toLowerCase();
}

class Reader {
  readonly #reading: CommandReading;
  readonly #known: { home: string; pwd: string };
  #steps = 0;
  /** A shell that reads its input: then every text of the command may be what it reads. */
  #shellReadsInput = false;

  constructor(reading: CommandReading, { cwd, home }: { cwd: string; home: string }) {
    this.#reading = reading;
    this.#known = { home, pwd: cwd };
  }

  text(text: string, depth: number): void {
    this.#steps += text.length + readingSteps(text, MOST_STEPS);
    if (text.length > LONGEST || depth > DEEPEST || this.#steps > MOST_STEPS) {
      this.#reading.whole = false;
      return;
    }
    const script = parse(text);
    if ((script.errors?.length ?? 0) > 0) this.#reading.whole = false;
    this.#visit(script, depth);
    if (depth === 0 && this.#shellReadsInput) for (const { text: one } of [...this.#reading.words]) this.#maybeScript(one, 1);
  }

  #visit(node: SyntaxNode, depth: number): void {
    const { words, written } = this.#reading;
    if (node.type === "Command") {
      const own = [node.name, ...node.args].flatMap((arg) =>
        arg === undefined ? [] : [arg.type === "Word" ? this.#word(arg) : this.#assignment(arg)],
      );
      if (own.length > 0) this.#call(own, depth);
    } else if (node.type === "Word") words.push(this.#word(node));
    else if (node.type === "Redirect" && node.target !== undefined && node.operator !== "<" && node.operator !== "<&") {
      const target = this.#word(node.target);
      if (!/^(?:\d+-?|-)$/.test(target.text)) written.push(target);
    } else if (node.type === "HereDoc") words.push({ text: node.body.text, known: true, glob: false });
    forEachChild(node, (child) => this.#visit(child, depth));
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

  /** A call, and the calls that its words may be. */
  #call(words: ShellWord[], depth: number): void {
    const { calls } = this.#reading;
    if (calls.length >= MOST_CALLS || depth > DEEPEST) {
      this.#reading.whole = false;
      return;
    }
    calls.push({ words });
    const [program] = words;
    if (program === undefined || !program.known) return;
    const name = programName(program.text);
    if (SHELLS.test(name)) {
      const scripts = words.slice(1).filter(({ text }) => /\s|[;&|]/.test(text) || words.some((one) => /^-\w*c$/.test(one.text)));
      for (const { text } of scripts) this.#maybeScript(text, depth + 1);
      if (scripts.length === 0) this.#shellReadsInput = true;
    }
    if (READS_TEXT.has(name))
      for (const { text } of words.slice(1)) this.#maybeScript(name === "alias" ? text.replace(/^[^=]*=/, "") : text, depth + 1);
    if (name === "eval")
      this.#maybeScript(
        words
          .slice(1)
          .map(({ text }) => text)
          .join(" "),
        depth + 1,
      );
    if (WRAPPERS.has(name))
      for (let at = 1; at < words.length; at++) if (!words[at]?.text.startsWith("-")) this.#call(words.slice(at), depth + 1);
  }

  /** A text that may be a script: one that cannot be read as such is none. */
  #maybeScript(text: string, depth: number): void {
    if (text.trim() === "" || !/\s/.test(text.trim())) return;
    if (text.length > LONGEST || depth > DEEPEST) {
      this.#reading.whole = false;
      return;
    }
    const script = parse(text);
    this.#steps += text.length + readingSteps(text, MOST_STEPS);
    if (this.#steps > MOST_STEPS) this.#reading.whole = false;
    else this.#visit(script, depth);
  }
}
