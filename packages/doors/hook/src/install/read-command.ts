// Reads a command of ours back out of settings, so that what is really installed can be looked at.
import { CLEAN, CLOSED, MARK, quoteWord, tail } from "./guard-command.ts";

/** The words of the call inside the guard, or null when it is not as `hap init` writes it. */
export function readCommand(
  command: string,
): { env: Record<string, string>; node: string; hook: string; options: Map<string, string> } | null {
  const start = `: ${MARK}; r=$(${CLEAN} `;
  // A guard that ends in anything else would let a call through when the hook fails.
  const end = `); c=$?; ${tail(CLOSED)}`;
  const whole = command.startsWith(start) && command.endsWith(end);
  const words = whole ? splitWords(command.slice(start.length, -end.length)) : null;
  if (words === null) return null;
  const first = words.findIndex((word) => !/^[A-Z_0-9]+=/.test(word));
  const env = Object.fromEntries(
    words.slice(0, first).map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]),
  );
  const [node, hook, _host, ...rest] = words.slice(first);
  if (node === undefined || hook === undefined) return null;
  const options = new Map<string, string>();
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] as string;
    if (word.startsWith("--run")) options.set("--run", word);
    else options.set(word, rest[++at] ?? "");
  }
  return { env, node, hook, options };
}

/** Undoes `quoteWord`, and nothing else. */
function splitWords(text: string): string[] | null {
  const words: string[] = [];
  for (const [, plain, quoted] of text.matchAll(/([A-Za-z0-9_./:=@%+,-]+)|((?:'[^']*'|\\')+)/g))
    words.push(plain ?? (quoted as string).replaceAll("'\\''", "\0").replaceAll("'", "").replaceAll("\0", "'"));
  return words.map(quoteWord).join(" ") === text ? words : null;
}
