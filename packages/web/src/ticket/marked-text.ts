// A text in pieces, so that what hides or imitates stands out: hidden characters by their code, look-alike words marked.
import { findLookAlikes, hasInvisible, showInvisible } from "@hap/protocol";

export type Piece = { kind: "plain" | "hidden" | "alike"; text: string };

/** The pieces of a text, in order; joined, they show everything that is there. */
export function markText(text: string): Piece[] {
  const alike = findLookAlikes(text);
  const pieces = alike.length === 0 ? [{ kind: "plain" as const, text }] : splitByWords(text, alike);
  return pieces.flatMap((piece) => (hasInvisible(piece.text) ? splitHidden(piece) : [piece]));
}

function splitByWords(text: string, words: readonly string[]): Piece[] {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const pieces: Piece[] = [];
  let rest = text;
  while (rest !== "") {
    const found = longestFirst
      .map((word) => ({ word, at: rest.indexOf(word) }))
      .filter(({ at }) => at !== -1)
      .sort((a, b) => a.at - b.at || b.word.length - a.word.length)[0];
    if (found === undefined) break;
    if (found.at > 0) pieces.push({ kind: "plain", text: rest.slice(0, found.at) });
    pieces.push({ kind: "alike", text: found.word });
    rest = rest.slice(found.at + found.word.length);
  }
  return rest === "" ? pieces : [...pieces, { kind: "plain", text: rest }];
}

function splitHidden({ kind, text }: Piece): Piece[] {
  const pieces: Piece[] = [];
  let plain = "";
  for (const char of text) {
    const shown = showInvisible(char);
    if (shown === char) {
      plain += char;
      continue;
    }
    if (plain !== "") pieces.push({ kind, text: plain });
    plain = "";
    pieces.push({ kind: "hidden", text: shown });
  }
  return plain === "" ? pieces : [...pieces, { kind, text: plain }];
}
