// The programs that a script's first line starts: its interpreter, and, behind `env`, the program that PATH leads to. They are
// bound like the files among the arguments, since exchanging one changes what runs.
import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename } from "node:path";

/** How many scripts may stand behind each other; the kernel allows about as many. */
const DEEPEST = 4;
const FIRST_LINE_BYTES = 256;

/** The real paths of all interpreters of a program, outermost first; none for a binary. */
export function interpretersOf(program: string, find: (name: string) => string | undefined, depth = 0): string[] {
  const words = firstLine(program);
  if (words.length === 0 || depth >= DEEPEST) return [];
  const [interpreter = "", ...rest] = words;
  const named = basename(interpreter) === "env" ? rest.find((word) => !word.startsWith("-") && !word.includes("=")) : undefined;
  return [interpreter, ...(named === undefined ? [] : [find(named)])].flatMap((path) => {
    if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
    const real = realpathSync(path);
    return [real, ...interpretersOf(real, find, depth + 1)];
  });
}

/** The words of a line that begins with `#!`. */
function firstLine(program: string): string[] {
  const bytes = Buffer.alloc(FIRST_LINE_BYTES);
  const file = openSync(program, "r");
  try {
    const text = bytes.subarray(0, readSync(file, bytes)).toString("latin1");
    return text.startsWith("#!")
      ? (text.slice(2).split("\n")[0] ?? "")
          .trim()
          .split(/\s+/)
          .filter((word) => word !== "")
      : [];
  } finally {
    closeSync(file);
  }
}
