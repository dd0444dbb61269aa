// The text of one line: marked where something hides, else coloured, else with its changed words.
import { findLookAlikes, hasInvisible } from "@hap/protocol";
import { SafeText } from "../ticket/safe-text.tsx";
import type { Token } from "./highlight.ts";
import type { Part } from "./words.ts";

type Props = { text: string; tokens: Token[] | null; parts: Part[] | null; whitespace: boolean };

export function LineText({ text, tokens, parts, whitespace }: Props) {
  // What hides is never coloured over: such a line shows its marks and nothing else.
  if (hasInvisible(text) || findLookAlikes(text).length > 0) return <SafeText text={text} />;
  if (whitespace) return <Blanks text={text} />;
  const pieces = tokens === null ? [{ text, tone: null }] : tokens;
  if (parts === null)
    return (
      <>
        {pieces.map((piece, at) => (
          <Piece {...piece} key={at} />
        ))}
      </>
    );
  return (
    <>
      {overlay(pieces, parts).map(({ changed, ...piece }, at) =>
        changed ? (
          <span class="word-changed" key={at}>
            <Piece {...piece} />
          </span>
        ) : (
          <Piece {...piece} key={at} />
        ),
      )}
    </>
  );
}

function Piece({ text, tone }: Token) {
  return tone === null ? text : <span class={`tone-${tone}`}>{text}</span>;
}

/** Cut coloured pieces where changed words begin and end. */
function overlay(tokens: readonly Token[], parts: readonly Part[]): (Token & { changed: boolean })[] {
  const cut: (Token & { changed: boolean })[] = [];
  const queue = parts.map((part) => ({ ...part }));
  for (const { text, tone } of tokens) {
    let rest = text;
    while (rest !== "") {
      const part = queue[0];
      const length = part === undefined ? rest.length : Math.min(rest.length, part.text.length);
      if (length > 0) cut.push({ text: rest.slice(0, length), tone, changed: part?.changed ?? false });
      rest = rest.slice(length);
      if (part === undefined) continue;
      part.text = part.text.slice(length);
      if (part.text === "") queue.shift();
    }
  }
  return cut;
}

/** Blanks made visible. */
function Blanks({ text }: { text: string }) {
  return (
    <>
      {text.split(/([ \t]+)/).map((piece, at) =>
        /^[ \t]+$/.test(piece) ? (
          <span class="blank" key={at}>
            {piece.replaceAll(" ", "·").replaceAll("\t", "→\t")}
          </span>
        ) : (
          piece
        ),
      )}
    </>
  );
}
