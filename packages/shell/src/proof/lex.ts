// The small lexer behind a proof: it understands words, plain quotes, `*` and `?`, `|`, `&&`, `||`, `;` and redirections to a
// file. Everything else (expansions, brackets, braces, assignments, comments, control characters) makes it refuse, not guess.

/** One word. `glob`: it holds an unquoted `*` or `?`. `revision`: an unquoted `~` or `^`, which some shells expand. */
export type PlainWord = { readonly text: string; readonly glob: boolean; readonly revision: boolean };

/** One simple command, and whether it only runs when every one before it in its list succeeded. */
export type PlainCommand = {
  readonly words: readonly PlainWord[];
  readonly afterSuccess: boolean;
  /** It runs whatever the commands before it did, and in this shell: not behind `&&`, `||` or `|`, not before `|`. */
  readonly always: boolean;
  /** Files that are redirected from and to. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
};

const NAME = /^(?:[A-Za-z0-9_.+-]+|\[|:)$/;
/** Words that begin something other than a simple command. */
const RESERVED = /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|function|select|time|coproc)$/;
const BARE = /[A-Za-z0-9_./:,@%+=-]/;
const ESCAPABLE = /[()!*?[\].|+^$]/;
const DISCARD = /(?:[12]?>>? ?\/dev\/null|[12]?>&[12])(?=[ \t\n;|&]|$)/y;
const REDIRECT = /[12]?>>?(?![>&|(])[ \t]*|<(?![<&>(])[ \t]*/y;
const OPERATOR = /&&|\|\||\|(?!&)|[;\n]/y;
const SINGLE = /'([^']*)'/y;
const DOUBLE = /"((?:[^"$`\\!]|\\[A-Za-z0-9.()|+*?[\]{}^/ _-])*)"/y;
const BLANK = /[ \t]+/y;
const PLAIN = /^[ -~]*$/;
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;
const ODD_SPACE = /[^\P{Zs} ]/u;
const ENDS_WORD = /[ \t\n;|&<>]/;

type Building = { words: PlainWord[]; inputs: string[]; outputs: string[] };

/** Splits a command into plain simple commands, or undefined when any character needs a real shell grammar. */
export function lexPlain(command: string): readonly PlainCommand[] | undefined {
  const commands: PlainCommand[] = [];
  let current: Building = { words: [], inputs: [], outputs: [] };
  let afterSuccess = false;
  let onlyAnd = true;
  let needsMore = false;
  let first = true;
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
    const { words, inputs, outputs } = current;
    const operator = take(OPERATOR);
    if (operator !== undefined) {
      if (words.length === 0) {
        if (operator !== "\n") return undefined;
        continue;
      }
      commands.push({ ...current, afterSuccess, always: first && operator !== "|" });
      current = { words: [], inputs: [], outputs: [] };
      first = operator === ";" || operator === "\n";
      needsMore = operator !== ";" && operator !== "\n";
      onlyAnd = needsMore ? onlyAnd && operator === "&&" : true;
      afterSuccess = needsMore && onlyAnd;
      continue;
    }
    if (take(DISCARD) !== undefined) {
      if (words.length === 0) return undefined;
      continue;
    }
    const redirect = take(REDIRECT);
    const word = readWord(command, at, words.length === 0 && redirect === undefined);
    if (word === undefined || (redirect !== undefined && (words.length === 0 || word.glob || word.revision))) return undefined;
    if (redirect === undefined) words.push(word);
    else if (redirect.startsWith("<")) inputs.push(word.text);
    else outputs.push(word.text);
    needsMore = false;
    at = word.end;
  }
  if (current.words.length > 0) commands.push({ ...current, afterSuccess, always: first });
  return needsMore || commands.length === 0 ? undefined : commands;
}

function readWord(command: string, start: number, isName: boolean): (PlainWord & { end: number }) | undefined {
  let text = "";
  let at = start;
  let glob = false;
  let revision = false;
  let quotes = false;
  while (at < command.length && !ENDS_WORD.test(command.charAt(at))) {
    const char = command.charAt(at);
    if (char === "'" || char === '"') {
      const pattern = char === "'" ? SINGLE : DOUBLE;
      pattern.lastIndex = at;
      const quoted = pattern.exec(command)?.[1];
      if (isName || quoted === undefined || !isSeen(quoted)) return undefined;
      quotes = true;
      text += quoted;
      at = pattern.lastIndex;
    } else if (char === "\\") {
      if (isName || !ESCAPABLE.test(command.charAt(at + 1))) return undefined;
      quotes = true;
      text += command.charAt(at + 1);
      at += 2;
    } else {
      if (char === "*" || char === "?") glob = true;
      else if (!isName && !isBare(char, command, at, start)) return undefined;
      revision ||= char === "~" || char === "^";
      text += char;
      at += 1;
    }
  }
  if (at === start || (isName && (!NAME.test(text) || RESERVED.test(text)))) return undefined;
  // A quoted star beside a bare one would have to be told apart; `3>f` names a descriptor and is no word.
  if ((glob && quotes) || (/^\d+$/.test(text) && /[<>]/.test(command.charAt(at)))) return undefined;
  return { text, glob, revision, end: at };
}

/** True when every character is seen as what it is. */
function isSeen(text: string): boolean {
  return PLAIN.test(text) || !(INVISIBLE.test(text) || ODD_SPACE.test(text));
}

/** `HEAD~3` and `HEAD^` are plain; a leading `~` or `=` would be expanded by some shell. */
function isBare(char: string, command: string, at: number, start: number): boolean {
  if (char === "~" || char === "^") return at > start && /[A-Za-z0-9~^]/.test(command.charAt(at - 1));
  if (char === "=") return at > start;
  if (char === "]") return at === start && /^(?:[ \t\n;|&<>]|$)/.test(command.slice(at + 1, at + 2));
  return BARE.test(char);
}
