// What reading a text would cost the grammar, counted before the grammar is entered. From each `{` it looks ahead to the brace
// that closes it or to the word's end, and from each `$[` to the end of the text: where many stay open, that is quadratic.
// The count may be too high, never too low: what is not simple is taken to lead to the end of the text.

const ENDS_WORD = /[\s;|&<>()]/;
const OPENS_MORE = /^(?:\$[({['"]|[<>?*+@!$]\(|`)/;

/** How many characters are looked at more than once; no more is counted once it is more than `most`. */
export function readingSteps(text: string, most: number): number {
  let steps = (text.split("$[").length - 1) * text.length;
  for (let brace = text.indexOf("{"); brace !== -1 && steps <= most; brace = text.indexOf("{", brace + 1))
    steps += endOfLook(text, brace) - brace;
  return steps;
}

/** Where looking ahead from a brace ends, taking it to stand outside of quotes. */
function endOfLook(text: string, brace: number): number {
  let depth = 0;
  for (let at = brace; at < text.length; at++) {
    const char = text.charAt(at);
    if (OPENS_MORE.test(text.slice(at, at + 2))) return text.length;
    if (char === "\\") at += 1;
    else if (char === "'" || char === '"') {
      const quoted = endOfQuote(text, at, char);
      if (quoted === -1) return text.length;
      at = quoted;
    } else if (char === "{") depth += 1;
    else if (char === "}") depth -= 1;
    if (depth === 0 || ENDS_WORD.test(char)) return at;
  }
  return text.length;
}

/** Where a quote ends; -1 when it does not, or when double quotes hold what has quotes of its own. */
function endOfQuote(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === quote) return at;
    if (quote === "'") continue;
    if (char === "\\") at += 1;
    else if (char === "`" || /^\$[({[]/.test(text.slice(at, at + 2))) return -1;
  }
  return -1;
}
