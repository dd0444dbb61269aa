// What the variables of a command may hold: values of the environment, and of assignments in the command itself. A variable that is
// set in any other way, or not at all, has an unknown value. Pure.
import { evaluateWord, forEachChild, type SyntaxNode } from "@hap/shell/grammar";

type Word = Parameters<typeof evaluateWord>[0];
type Known = Parameters<typeof evaluateWord>[1];

/** Variables that the shell sets itself: numbers, and others. */
const NUMBERS = /^(?:[$#?!]|S?RANDOM|SECONDS|LINENO|BASHPID|EPOCHSECONDS)$/;
const OF_SHELL = /^(?:[\d@*_-]|OLDPWD|EPOCH\w*|BASH\w*|FUNCNAME|PIPESTATUS|REPLY|OPTARG|OPTIND|DIRSTACK|COPROC)/;
/** A new file in the folder for such files; a template or folder that it is given is a word of its own. */
const TEMPORARY = /^\$\(mktemp\b[^)$`]*\)$/;
/** Commands that set variables which they name. */
const SETS = new Set("read mapfile readarray getopts printf let declare typeset local unset".split(" "));
/** Commands after which any variable may hold anything. */
const SETS_ANY = new Set(["source", ".", "eval"]);
const MOST_VALUES = 32;

export class Variables {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #known: Known;
  readonly #values = new Map<string, Set<string>>();
  readonly #unknown = new Set<string>();
  #anyUnknown = false;

  constructor(env: Readonly<Record<string, string | undefined>>, known: Known) {
    this.#env = env;
    this.#known = known;
  }

  /** Take note of what a script sets. */
  collect(node: SyntaxNode): void {
    if (node.type === "Assignment") {
      if (node.value.type === "Word" && node.index === undefined && node.append !== true) this.#assign(node.name, [node.value]);
      else if (node.value.type === "Word") this.#unknown.add(node.name);
      else this.#assign(node.name, node.value.elements);
    } else if (node.type === "For" || node.type === "Select") {
      if (node.wordlist === undefined) this.#unknown.add(node.name.value);
      else this.#assign(node.name.value, node.wordlist);
    } else if (node.type === "ArithmeticCommand" || node.type === "ArithmeticFor") this.#anyUnknown = true;
    else if (node.type === "Command" && node.name !== undefined) {
      if (SETS_ANY.has(node.name.value)) this.#anyUnknown = true;
      if (SETS.has(node.name.value)) for (const arg of node.args) if (arg.type === "Word") this.#unknown.add(arg.value);
    }
    forEachChild(node, (child) => this.collect(child));
  }

  #assign(name: string, words: readonly Word[]): void {
    const values = this.#values.get(name) ?? new Set();
    this.#values.set(name, values);
    for (const word of words) {
      const { text } = evaluateWord(word, this.#known);
      values.add(TEMPORARY.test(text) ? "/tmp/mktemp" : text);
    }
    if (values.size > MOST_VALUES) this.#unknown.add(name);
  }

  /** Every text that one with `$name` in it may become; null when that is not known. */
  expand(text: string, depth = 0): string[] | null {
    const match = /\$(?:\{(\w+|[@*#?$!-])(?:%%?([\w.-]+))?\}|(\w+|[@*#?$!-]))/.exec(text);
    if (match === null) return /[$`]|[<>]\(/.test(text) ? null : [text];
    const [, braced, suffix = "", plain = ""] = match;
    const values = depth > 8 ? null : this.#valuesOf(braced ?? plain);
    if (values === null) return null;
    const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)];
    const expanded: string[] = [];
    for (const value of values) {
      const more = this.expand(
        before + (value.endsWith(suffix) ? value.slice(0, value.length - suffix.length) : value) + after,
        depth + 1,
      );
      if (more === null) return null;
      expanded.push(...more);
      if (expanded.length > MOST_VALUES) return null;
    }
    return expanded;
  }

  #valuesOf(name: string): string[] | null {
    if (NUMBERS.test(name)) return ["0"];
    if (OF_SHELL.test(name) || this.#unknown.has(name) || this.#anyUnknown) return null;
    const values = [...(this.#values.get(name) ?? []), ...(this.#env[name] === undefined ? [] : [this.#env[name]])];
    return values.length === 0 ? null : values;
  }
}
