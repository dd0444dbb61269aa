// Patterns of a grant for single commands, matched word by word on the parsed command and never on its text (D43). `*` inside a word
// stands for any characters of that word; a last `*` for any further words that are no options, a last `**` for any further words.

/** One word of a pattern. `rest` stands for any further words, `any` for those that may be options too. */
type PatternWord = { readonly is: "text"; readonly text: string } | { readonly is: "glob"; readonly glob: string };
export type CommandPattern = { readonly words: readonly PatternWord[]; readonly rest: "none" | "operands" | "any" };

const WORD = /'([^']*)'|"([^"\\$`]*)"|([^\s'"]+)/y;
const BLANK = /[ \t]+/y;

/** Read a pattern; null when its quotes do not fit, or it holds nothing. */
export function readCommandPattern(text: string): CommandPattern | null {
  const words: PatternWord[] = [];
  const pattern = text.trim();
  let at = 0;
  while (at < pattern.length) {
    WORD.lastIndex = at;
    const found = WORD.exec(pattern);
    if (found === null) return null;
    at = WORD.lastIndex;
    const bare = found[3];
    const quoted = found[1] ?? found[2] ?? "";
    words.push(bare?.includes("*") ? { is: "glob", glob: bare } : { is: "text", text: bare ?? quoted });
    if (at === pattern.length) break;
    BLANK.lastIndex = at;
    // A quote must end where the word ends.
    if (BLANK.exec(pattern) === null) return null;
    at = BLANK.lastIndex;
  }
  const last = words.at(-1);
  if (last === undefined) return null;
  if (last.is !== "glob" || !/^\*\*?$/.test(last.glob)) return { words, rest: "none" };
  return { words: words.slice(0, -1), rest: last.glob === "*" ? "operands" : "any" };
}

/** A word as a pattern that matches it alone. */
export function quotePatternWord(word: string): string | null {
  if (/^[^\s'"*]+$/.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  return /["\\$`]/.test(word) ? null : `"${word}"`;
}

/** True when the whole command fits: every word in its place, and nothing that the pattern does not name. */
export function matchesPattern({ words, rest }: CommandPattern, command: readonly string[]): boolean {
  if (command.length < words.length || (rest === "none" && command.length > words.length)) return false;
  if (!words.every((word, at) => fits(word, command[at] as string))) return false;
  return rest !== "operands" || command.slice(words.length).every((word) => !word.startsWith("-"));
}

/** To deny, it is enough that the program and the pattern's words appear in this order, whatever stands between. */
export function mentionsPattern({ words }: CommandPattern, command: readonly string[]): boolean {
  const [program, ...others] = words;
  const [name = "", ...given] = command;
  if (program !== undefined && !fits(program, name) && !fits(program, name.slice(name.lastIndexOf("/") + 1))) return false;
  let at = 0;
  for (const word of others) {
    while (at < given.length && !fits(word, given[at] as string)) at += 1;
    if (at === given.length) return false;
    at += 1;
  }
  return true;
}

/** An option fits only a word of the pattern that begins as one. */
function fits(word: PatternWord, given: string): boolean {
  if (word.is === "text") return word.text === given;
  if (given.startsWith("-") && !word.glob.startsWith("-")) return false;
  return matchesStars(word.glob, given);
}

/** `*` stands for any characters, also none; everything else for itself. */
function matchesStars(glob: string, text: string): boolean {
  const [first = "", ...others] = glob.split("*");
  const last = others.pop() ?? "";
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
