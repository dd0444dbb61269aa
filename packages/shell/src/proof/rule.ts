// A program's known-safe options and what its operands are. An option that is not listed is not safe.
import type { Reading } from "./reading.ts";

/** The options of a command line and their values. */
export type GivenOptions = ReadonlyMap<string, readonly string[]>;

/** One row of the table. */
export type Rule = {
  /** Single-letter options, getopt's way: `n` alone, `n:` with a value, `n?` with an optional value attached. */
  readonly letters?: string;
  /** Long options: `all` alone, `lines=` with a value, `color=?` alone or with `=value`. Abbreviations are refused. */
  readonly long?: readonly string[];
  /** `-5` is an option (head, tail, git log). */
  readonly number?: true;
  /** What the operands are. */
  readonly operands: "none" | "words" | "names" | "contents" | "writes" | "removes" | "folders" | "copies" | "moves";
  /** The first operand is a pattern, unless one of these options was given. */
  readonly patternUnless?: readonly string[];
  /** Every operand that is no path must look like this. */
  readonly like?: RegExp;
  readonly most?: number;
  /** Without a path it looks at the current folder. */
  readonly here?: true;
  /** A guard over what was read: false refuses. */
  readonly guard?: (options: GivenOptions, operands: readonly string[]) => boolean;
  /** The paths are searched with everything below them, where this says so; `safe`: but only files that cannot be secrets. */
  readonly trees?: (options: GivenOptions) => { readonly hidden: boolean } | "safe" | undefined;
};

/** Reads arguments by a rule, strictly: the first thing that the rule does not name refuses the command. */
export function readByRule(rule: Rule, args: readonly string[]): Reading | undefined {
  const options = new Map<string, string[]>();
  const operands: string[] = [];
  const late: string[] = [];
  const add = (name: string, value: string): void => void options.set(name, [...(options.get(name) ?? []), value]);
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg === "-" || !arg.startsWith("-")) operands.push(arg);
    else if (!(rule.number && /^-\d+$/.test(arg))) {
      const found = arg.startsWith("--") ? readLong(rule.long ?? [], arg) : readLetters(rule.letters ?? "", arg);
      if (found === undefined) return undefined;
      for (const [name, value] of found.given) add(name, value);
      if (found.wants !== undefined) {
        at += 1;
        const value = args[at];
        if (value === undefined) return undefined;
        add(found.wants, value);
        // Where options end at the first operand, this value is an operand too.
        if (operands.length > 0) late.push(value);
      }
    }
  }
  if (rule.guard?.(options, operands) === false || operands.length > (rule.most ?? Number.POSITIVE_INFINITY)) return undefined;
  const takesPattern = rule.patternUnless !== undefined && !rule.patternUnless.some((name) => options.has(name));
  const rest = takesPattern ? operands.slice(1) : operands;
  if (takesPattern && operands.length === 0) return undefined;
  const reading = read(rule, rest, late);
  const tree = rule.trees?.(options);
  if (reading === undefined || tree === undefined) return reading;
  if (tree === "safe") return { names: reading.contents, contents: [] };
  return { names: [], contents: [], trees: reading.contents.map((path) => ({ path, ...tree })) };
}

function read(rule: Rule, operands: readonly string[], late: readonly string[]): Reading | undefined {
  if (rule.operands === "none" && operands.length > 0) return undefined;
  if (rule.operands === "none" || rule.operands === "words") {
    const like = rule.like;
    return like !== undefined && !operands.every((word) => like.test(word)) ? undefined : { names: [], contents: [] };
  }
  const paths = [...operands.filter((path) => path !== "-"), ...late];
  if (operands.length === 0 && rule.here) paths.push(".");
  const none = { names: [], contents: [] };
  switch (rule.operands) {
    case "names":
      return { ...none, names: paths };
    case "contents":
      return { ...none, contents: paths };
    case "copies":
    case "moves": {
      const target = operands.at(-1);
      // An option's value behind an operand could be an operand of another getopt.
      if (target === undefined || operands.length < 2 || operands.includes("-") || late.length > 0) return undefined;
      return { ...none, copy: { sources: operands.slice(0, -1), target, moves: rule.operands === "moves" } };
    }
    default:
      // `-` would be a file of that name to some of them.
      if (operands.length === 0 || operands.includes("-") || late.length > 0) return undefined;
      return { ...none, [rule.operands]: paths };
  }
}

type Found = { given: readonly (readonly [string, string])[]; wants?: string };

function readLong(long: readonly string[], arg: string): Found | undefined {
  const equals = arg.indexOf("=");
  const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
  const value = equals < 0 ? undefined : arg.slice(equals + 1);
  if (value === undefined && long.includes(`${name}=`)) return { given: [], wants: name };
  if (value === undefined) return long.includes(name) || long.includes(`${name}=?`) ? { given: [[name, ""]] } : undefined;
  return long.includes(`${name}=`) || long.includes(`${name}=?`) ? { given: [[name, value]] } : undefined;
}

function readLetters(letters: string, arg: string): Found | undefined {
  const given: [string, string][] = [];
  for (let at = 1; at < arg.length; at += 1) {
    const letter = arg.charAt(at);
    const index = /[A-Za-z0-9]/.test(letter) ? letters.indexOf(letter) : -1;
    if (index < 0) return undefined;
    const kind = letters.charAt(index + 1);
    const rest = arg.slice(at + 1);
    if (kind === ":" && rest === "") return { given, wants: letter };
    given.push([letter, kind === ":" || kind === "?" ? rest : ""]);
    if (kind === ":" || kind === "?") break;
  }
  return { given };
}
