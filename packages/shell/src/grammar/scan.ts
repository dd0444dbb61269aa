// One classification under way: what was found so far, where the command stands, and how much may still be looked at.
// Programs report through it; `runText` and `runCall` lead back into the walk for commands inside commands.
import type { Finding, ShellContext } from "../classification.ts";
import type { Effect, Need } from "../effects.ts";
import { type Cwds, startIn } from "../paths/cwds.ts";
import { show } from "../show.ts";
import { MOST_SUBSTITUTIONS, opensTooMany } from "../substitutions.ts";
import type { Argument } from "./argument.ts";
import { readingSteps } from "./reading-steps.ts";

/** Where a command's standard input comes from. */
export type Stdin =
  | { readonly kind: "inherited" }
  | { readonly kind: "pipe" }
  | { readonly kind: "file"; readonly file: Argument }
  | { readonly kind: "text"; readonly text: Argument };

/** One simple command: the program as written, its folded base name, its arguments and its input. */
export type Call = {
  readonly name: string;
  readonly program: string;
  readonly args: readonly Argument[];
  readonly stdin: Stdin;
  readonly scan: Scan;
};

/** How the walk is re-entered from inside a program's arguments. */
export type Reentry = {
  readonly text: (scan: Scan, text: string, stdin: Stdin) => void;
  readonly call: (scan: Scan, words: readonly Argument[], stdin: Stdin) => void;
};

const MOST_FINDINGS = 50;
const MOST_NESTING = 24;
const MOST_STEPS = 20_000;
const MOST_READING_STEPS = 4_000_000;

/** State of one classification; lives as long as one call of classifyCommand. */
export class Scan {
  readonly context: ShellContext;
  readonly findings: Finding[] = [];
  /** Files that this command itself wrote or downloaded, as resolved paths. */
  readonly written = new Set<string>();
  /** Links that this command itself makes: what lies behind them is nowhere to be seen. */
  readonly links = new Set<string>();
  cwds: Cwds;
  /** Every simple command that was looked at, as its words; also those inside others. */
  readonly calls: string[][] = [];
  /** Inside a loop or a function a `cd` may happen any number of times. */
  repeats = 0;
  readonly #names: ReadonlySet<string>;
  readonly #reentry: Reentry;
  #nesting = 0;
  #notes = 0;
  #steps = 0;
  #readingSteps = 0;

  constructor(source: string, context: ShellContext, reentry: Reentry) {
    this.#names = new Set(source.match(/(?<![$\w{])[A-Za-z_]\w*/g));
    this.context = context;
    this.cwds = startIn(context);
    this.#reentry = reentry;
  }

  /** Whether the command says this name other than to expand it: then it may set, read or export the variable. */
  mentions(variable: string): boolean {
    return this.#names.has(variable);
  }

  /** How often anything was noted, to tell whether a handler said anything at all. */
  get notes(): number {
    return this.#notes;
  }

  /** Adds a finding; `need` where it differs from the effect's own. Past the limit only what was not yet seen is added. */
  note(effect: Effect, what: string, need?: Need | "registries" | null): void {
    this.#notes += 1;
    const known = (finding: Finding): boolean => finding.effect === effect && finding.need === need;
    if (this.findings.length >= MOST_FINDINGS && this.findings.some(known)) return;
    this.findings.push({ effect, what, ...(need !== undefined && { need }) });
  }

  /** Counts one step of the walk; false when the command is too large to be looked at in full. */
  step(): boolean {
    this.#steps += 1;
    if (this.#steps === MOST_STEPS) this.note("opaque", "the command has too many parts to be looked at in full");
    return this.#steps < MOST_STEPS;
  }

  /** Counts what the grammar would do with a text; false when that is too much, with all that it has read before. */
  mayRead(text: string): boolean {
    if (opensTooMany(text)) {
      this.note("opaque", `${show(text)} opens more than ${MOST_SUBSTITUTIONS} substitutions`);
      return false;
    }
    this.#readingSteps += readingSteps(text, MOST_READING_STEPS);
    if (this.#readingSteps <= MOST_READING_STEPS) return true;
    this.note("opaque", `${show(text)} leaves too many braces or brackets open to be read in bounded time`);
    return false;
  }

  /** Looks at a text as a shell command of its own (`sh -c`, `eval`). */
  runText(text: string, stdin: Stdin): void {
    this.#nested(text, () => this.#reentry.text(this, text, stdin));
  }

  /** Looks at words as a command of its own (`env`, `xargs`, `find -exec`). */
  runCall(words: readonly Argument[], stdin: Stdin): void {
    this.#nested(words[0]?.raw ?? "", () => this.#reentry.call(this, words, stdin));
  }

  #nested(what: string, look: () => void): void {
    if (this.#nesting >= MOST_NESTING) {
      this.note("opaque", `${show(what)} is nested too deep to be looked at`);
      return;
    }
    this.#nesting += 1;
    look();
    this.#nesting -= 1;
  }
}
