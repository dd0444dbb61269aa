// One hunk, unified or side by side, every line of it.
import type { Hunk } from "@hap/protocol";
import { useMemo } from "preact/hooks";
import type { Token } from "./highlight.ts";
import { LineText } from "./line-text.tsx";
import { type Line, linesOf, onlyBlanks, pairsOf, partnersOf } from "./rows.ts";
import { changedParts } from "./words.ts";

/** Longer hunks are drawn when they come near the view. */
const LONG = 80;

type Props = { hunk: Hunk; part: string; tokens: ReadonlyMap<number, Token[]> | null; split: boolean; whitespace: boolean };

export function HunkView({ hunk, part, tokens, split, whitespace }: Props) {
  const { lines, partners } = useMemo(() => {
    const all = linesOf(hunk);
    return { lines: all, partners: partnersOf(all) };
  }, [hunk]);
  const text = (line: Line) => (
    <LineText
      text={line.text}
      tokens={tokens?.get(line.at) ?? null}
      parts={changedParts(line, partners.get(line.at))}
      whitespace={whitespace}
    />
  );
  const tone = (line: Line) => (onlyBlanks(line, partners.get(line.at)) ? `${line.kind} only-blanks` : line.kind);
  return (
    <div class={hunk.lines.length > LONG ? "hunk long" : "hunk"} data-part={part}>
      <div class="hunk-header">
        <LineText text={hunk.lines[0] ?? ""} tokens={null} parts={null} whitespace={false} />
      </div>
      {split && hunk.columns === 1
        ? pairsOf(lines).map((pair, at) => (
            <div class="line split" key={at}>
              <Side line={pair.left} side="old" tone={tone} text={text} />
              <Side line={pair.right} side="new" tone={tone} text={text} />
            </div>
          ))
        : lines.map((line) => (
            <div class={`line ${tone(line)}`} key={line.at}>
              <span class="number">{line.oldNumber}</span>
              <span class="number">{line.newNumber}</span>
              <span class="sign">{line.mark === "" ? " " : line.mark}</span>
              <code class="line-text">{text(line)}</code>
            </div>
          ))}
    </div>
  );
}

type SideProps = {
  line: Line | null;
  side: "old" | "new";
  tone: (line: Line) => string;
  text: (line: Line) => preact.JSX.Element;
};

function Side({ line, side, tone, text }: SideProps) {
  if (line === null) return <div class="side nothing" />;
  return (
    <div class={`side ${tone(line)}`}>
      <span class="number">{side === "old" ? line.oldNumber : line.newNumber}</span>
      <span class="sign">{line.kind === "same" ? " " : line.mark}</span>
      <code class="line-text">{text(line)}</code>
    </div>
  );
}
