// One word of a command as far as its text tells what it will be.

/** `exact`: known to the byte; `pattern`: globs or braces that stay in their folder; `dynamic`: decided at run time. */
export type Argument = { readonly text: string; readonly raw: string; readonly certainty: "exact" | "pattern" | "dynamic" };

/** A word whose text is known. */
export function exactly(text: string): Argument {
  return { text, raw: text, certainty: "exact" };
}

/** A word that only exists when the command runs (a line of a pipe, a match of a search). */
export function decidedLater(raw: string): Argument {
  return { text: raw, raw, certainty: "dynamic" };
}
