// The small lexer behind `harmless`: it understands words, plain quotes, `|`, `&&`, `||`, `;` and output thrown away.
// Everything else (expansions, globs, assignments, redirections, comments, control characters) makes it refuse, not guess.

/** One simple command, and whether it only runs when every one before it in its list succeeded. */
export type PlainCommand = { readonly words: readonly string[]; readonly afterSuccess: boolean };

const NAME = /^(?:[A-Za-z0-9_.+-]+|\[|:)$/;
/** Words that begin something other than a simple command. */
const RESERVED = /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|function|select|time|coproc)$/;
const BARE = /[A-Za-z0-9_./:,@%+=-]/;
const ESCAPABLE = /[()!*?[\].|+^$]/;
const DISCARD = /(?:[12]?>>? ?\/dev\/null|[12]?>&[12])(?=[ \t\n;|&]|$)/y;
const OPERATOR = /&&|\|\||[|;\n]/y;
const SINGLE = /'([^']*)'/y;
const DOUBLE = /"((?:[^"$`\\!]|\\[A-Za-z0-9.()|+*?[\]{}^/ _-])*)"/y;
const BLANK = /[ \t]+/y;
const PLAIN = /^[ -~]*$/;
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;
const ODD_SPACE = /[^\P{Zs} ]/u;

/** Splits a command into plain simple commands, or undefined when any character needs a real shell grammar. */
export function lexPlain(command: string): readonly PlainCommand[] | undefined {
  const commands: PlainCommand[] = [];
  let words: string[] = [];
  let afterSuccess = false;
  let onlyAnd = true;
  let needsMore = false;
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(command);
    if (found === null) return undefined;
    at = pattern.lastIndex;
    return found[0];
  };
  while (at < command.length) {
    if (take(BLANK) !== undefined) continue;
    const operator = take(OPERATOR);
    if (operator !== undefined) {
      if (words.length === 0) {
        if (operator !== "\n") return undefined;
        continue;
      }
      commands.push({ words, afterSuccess });
      words = [];
      needsMore = operator !== ";" && operator !== "\n";
      onlyAnd = needsMore ? onlyAnd && operator === "&&" : true;
      afterSuccess = needsMore && onlyAnd;
      continue;
    }
    if (take(DISCARD) !== undefined) {
      if (words.length === 0) return undefined;
      continue;
    }
    const word = readWord(command, at, words.length === 0);
    if (word === undefined) return undefined;
    words.push(word.text);
    needsMore = false;
    at = word.end;
  }
  if (words.length > 0) commands.push({ words, afterSuccess });
  return needsMore || commands.length === 0 ? undefined : commands;
}

function readWord(command: string, start: number, isName: boolean): { text: string; end: number } | undefined {
  let text = "";
  let at = start;
  while (at < command.length && !/[ \t\n;|&]/.test(command.charAt(at))) {
    const char = command.charAt(at);
    if (char === "'" || char === '"') {
      const pattern = char === "'" ? SINGLE : DOUBLE;
      pattern.lastIndex = at;
      const quoted = pattern.exec(command)?.[1];
      if (isName || quoted === undefined || !isSeen(quoted)) return undefined;
      text += quoted;
      at = pattern.lastIndex;
    } else if (char === "\\") {
      if (isName || !ESCAPABLE.test(command.charAt(at + 1))) return undefined;
      text += command.charAt(at + 1);
      at += 2;
    } else {
      if (!isName && !isBare(char, command, at, start)) return undefined;
      text += char;
      at += 1;
    }
  }
  return at === start || (isName && (!NAME.test(text) || RESERVED.test(text))) ? undefined : { text, end: at };
}

/** True when every character is seen as what it is. */
function isSeen(text: string): boolean {
  return PLAIN.test(text) || !(INVISIBLE.test(text) || ODD_SPACE.test(text));
}

/** `HEAD~3` and `HEAD^` are plain; a leading `~` or `=` would be expanded by some shell. */
function isBare(char: string, command: string, at: number, start: number): boolean {
  if (char === "~" || char === "^") return at > start && /[A-Za-z0-9~^]/.test(command.charAt(at - 1));
  if (char === "=") return at > start;
  if (char === "]") return at === start && /^(?:[ \t\n;|&]|$)/.test(command.slice(at + 1, at + 2));
  return BARE.test(char);
}
