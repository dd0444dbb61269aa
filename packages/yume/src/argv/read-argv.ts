// argv as flags and words, before anything is made of it. Unknown options are kept apart and never end a run.
import { findFlag, SEVERAL } from "./flags.ts";

export type Argv = {
  values: Map<string, string[]>;
  switches: Set<string>;
  words: string[];
  unknown: string[];
  /** `-p` with the text that followed, if it was given. */
  p: { given: boolean; text: string | null };
  /** `-v` stood alone. */
  bareV: boolean;
  problems: string[];
};

/** What one rule or a list of rules looks like: so that a prompt after `--allowedTools X` is not taken for one. */
const RULES = /^[A-Za-z_][\w.*-]*(\([^)]*\))?([, ]+[A-Za-z_][\w.*-]*(\([^)]*\))?)*$/;

/** Read argv. */
export function readArgv(argv: readonly string[]): Argv {
  const read: Argv = {
    values: new Map(),
    switches: new Set(),
    words: [],
    unknown: [],
    p: { given: false, text: null },
    bareV: argv.length === 1 && argv[0] === "-v",
    problems: [],
  };
  const add = (name: string, value: string) => read.values.set(name, [...(read.values.get(name) ?? []), value]);
  let position = 0;
  /** The next argument, when it is a value. */
  const next = (): string | undefined => {
    const value = argv[position];
    return value === undefined || (value.startsWith("-") && value.length > 1) ? undefined : argv[position++];
  };
  while (position < argv.length) {
    const argument = argv[position++] as string;
    if (argument === "") continue;
    if (argument === "--") {
      read.words.push(...argv.slice(position));
      break;
    }
    const option = /^--?([A-Za-z][\w-]*)(?:=([\s\S]*))?$/.exec(argument);
    if (option === null) {
      read.words.push(argument);
      continue;
    }
    const [, given = "", inline] = option;
    if (argument.startsWith("-p") && given === "p") {
      read.p = { given: true, text: inline ?? next() ?? null };
      continue;
    }
    if (given === "v") {
      read.switches.add("verbose");
      continue;
    }
    const flag = findFlag(given);
    if (flag === undefined) {
      read.unknown.push(`${argument.startsWith("--") ? "--" : "-"}${given}`);
      // Its value goes with it, unless it is the last word: that may be the prompt.
      if (inline === undefined && position < argv.length - 1) next();
    } else if (!flag.valued) {
      if (inline !== "false") read.switches.add(flag.name);
    } else {
      // A value that begins with a dash is still a value where the flag cannot do without one.
      const value =
        inline ?? next() ?? (flag.name === "prompt" || flag.name.includes("system-prompt") ? argv[position++] : undefined);
      if (value === undefined) read.problems.push(`--${flag.name} needs a value`);
      else add(flag.name, value);
      if (SEVERAL.has(flag.name) && inline === undefined)
        while (position < argv.length && RULES.test(argv[position] as string)) add(flag.name, argv[position++] as string);
    }
  }
  return read;
}
