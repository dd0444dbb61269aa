// Works out what a word of the shell grammar will be: quotes removed, `~`, `$HOME` and `$PWD` filled in, nothing else guessed.
import type { Word, WordPart } from "unbash";
import type { Argument } from "./argument.ts";

/** The variables whose values are known here; undefined where the command itself may change them. */
export type KnownVariables = { readonly home: string | undefined; readonly pwd: string | undefined };

type Piece = { readonly text: string; readonly certainty: Argument["certainty"] };

const exact = (text: string): Piece => ({ text, certainty: "exact" });
const dynamic = (text: string): Piece => ({ text, certainty: "dynamic" });

/** The word's value, and how certain it is. */
export function evaluateWord(word: Word, known: KnownVariables): Argument {
  const parts = word.parts;
  const pieces = parts === undefined ? [exact(word.value)] : parts.map((part) => evaluatePart(part, known));
  const tilde = expandTilde(word.text, known.home);
  const first = pieces[0];
  if (tilde !== undefined && first !== undefined)
    pieces.splice(0, 1, tilde.certainty === "exact" ? exact(tilde.text + first.text.slice(1)) : tilde);
  const text = pieces.map((piece) => piece.text).join("");
  return { text, raw: word.text, certainty: leastCertain(pieces, text) };
}

function leastCertain(pieces: readonly Piece[], text: string): Argument["certainty"] {
  if (pieces.some((piece) => piece.certainty === "dynamic")) return "dynamic";
  if (!pieces.some((piece) => piece.certainty === "pattern")) return "exact";
  // `*/../..` leaves the folder that the arithmetic sees, if `*` is a link.
  return /(?:^|\/)\.\.(?:\/|$)/.test(text) ? "dynamic" : "pattern";
}

function expandTilde(text: string, home: string | undefined): Piece | undefined {
  if (!text.startsWith("~")) return undefined;
  return home !== undefined && /^~(?:\/|$)/.test(text) ? exact(home) : dynamic(text);
}

function evaluatePart(part: WordPart, known: KnownVariables): Piece {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return exact(part.value);
    case "DoubleQuoted":
    case "LocaleString": {
      const pieces = part.parts.map((child) => evaluatePart(child, known));
      return { text: pieces.map((piece) => piece.text).join(""), certainty: leastCertain(pieces, "") };
    }
    case "Glob":
      return { text: part.text, certainty: "pattern" };
    case "BraceExpansion":
      return /^\{[\w,.@-]*\}$/.test(part.text) && !part.text.includes("..")
        ? { text: part.text, certainty: "pattern" }
        : dynamic(part.text);
    case "SimpleExpansion":
      return expandVariable(part.text.slice(1), part.text, known);
    case "ParameterExpansion": {
      const plain = part.operation === undefined && part.prefix === undefined && part.index === undefined;
      return plain ? expandVariable(part.parameter, part.text, known) : dynamic(part.text);
    }
    default:
      return dynamic(part.text);
  }
}

function expandVariable(name: string, text: string, known: KnownVariables): Piece {
  const value = name === "HOME" ? known.home : name === "PWD" ? known.pwd : undefined;
  return value === undefined ? dynamic(text) : exact(value);
}
