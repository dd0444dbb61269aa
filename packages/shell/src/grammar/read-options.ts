// Splits arguments into options and operands, leniently: unknown options are kept, so that a rule can still ask for them.
import type { Argument } from "./argument.ts";

/** The options and operands of one command line. */
export class Options {
  readonly operands: readonly Argument[];
  readonly #given: ReadonlyMap<string, readonly Argument[]>;

  constructor(given: ReadonlyMap<string, readonly Argument[]>, operands: readonly Argument[]) {
    this.#given = given;
    this.operands = operands;
  }

  /** Whether any of the options was given; long ones also by an abbreviation of two letters or more. */
  has(...names: readonly string[]): boolean {
    return names.some((name) => this.#matching(name).length > 0);
  }

  /** The values that these options were given. */
  values(...names: readonly string[]): readonly Argument[] {
    return names
      .flatMap((name) => this.#matching(name).flatMap((key) => this.#given.get(key) ?? []))
      .filter((value) => value.raw !== "");
  }

  /** The operands' texts. */
  get words(): readonly string[] {
    return this.operands.map((operand) => operand.text);
  }

  #matching(name: string): readonly string[] {
    return [...this.#given.keys()].filter((key) => key === name || (key.length > 1 && name.length > 1 && name.startsWith(key)));
  }
}

/** Reads arguments; `valued` names the options with a value, as getopt does (`"o:"`) and for long ones (`"output="`). */
export function readOptions(
  args: readonly Argument[],
  letters = "",
  long: readonly string[] = [],
  stopAtOperand = false,
): Options {
  const given = new Map<string, Argument[]>();
  const operands: Argument[] = [];
  const add = (name: string, value: Argument): void => void given.set(name, [...(given.get(name) ?? []), value]);
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined) break;
    if (arg.text === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (!/^-./.test(arg.text)) {
      operands.push(arg);
      if (!stopAtOperand) continue;
      operands.push(...args.slice(at + 1));
      break;
    }
    const wants = arg.text.startsWith("--") ? readLong(arg, long, add) : readLetters(arg, letters, add);
    if (wants === undefined) continue;
    at += 1;
    const value = args[at];
    if (value !== undefined) add(wants, value);
  }
  return new Options(given, operands);
}

type Add = (name: string, value: Argument) => void;

const slice = (arg: Argument, from: number): Argument => ({ ...arg, text: arg.text.slice(from), raw: arg.text.slice(from) });

function readLong(arg: Argument, long: readonly string[], add: Add): string | undefined {
  const equals = arg.text.indexOf("=");
  const name = equals < 0 ? arg.text.slice(2) : arg.text.slice(2, equals);
  if (equals < 0 && long.includes(`${name}=`)) return name;
  add(name, slice(arg, equals < 0 ? arg.text.length : equals + 1));
  return undefined;
}

function readLetters(arg: Argument, letters: string, add: Add): string | undefined {
  for (let at = 1; at < arg.text.length; at += 1) {
    const letter = arg.text.charAt(at);
    const takesValue = letters.charAt(letters.indexOf(letter) + 1) === ":" && letters.includes(letter);
    if (takesValue && at === arg.text.length - 1) return letter;
    add(letter, slice(arg, takesValue ? at + 1 : arg.text.length));
    if (takesValue) break;
  }
  return undefined;
}
