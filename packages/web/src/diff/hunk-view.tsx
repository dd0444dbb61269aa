// One hunk, unified or side by side, every line of it.
import type { Hunk } from "@hap/protocol";
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { t } from "../words/words.ts";
import type { Token } from "./highlight.ts";
import { type LineComments, NotesAt, placeOf } from "./line-comments.tsx";
import { LineText } from "./line-text.tsx";
import { type Line, linesOf, onlyBlanks, pairsOf, partnersOf } from "./rows.ts";
import { changedParts } from "./words.ts";

/** Longer hunks are drawn when they come near the view. */
const LONG = 80;

type Props = {
  hunk: Hunk;
  part: string;
  tokens: ReadonlyMap<number, Token[]> | null;
  split: boolean;
  whitespace: boolean;
  comments: LineComments;
};

export function HunkView({ hunk, part, tokens, split, whitespace, comments }: Props) {
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
            <Fragment key={at}>
              <div class="line split">
                <Side line={pair.left} side="old" tone={tone} text={text} comments={comments} />
                <Side line={pair.right} side="new" tone={tone} text={text} comments={comments} />
              </div>
              {pair.left !== null && pair.left.kind === "removed" && <NotesAt place={placeOf(pair.left)} comments={comments} />}
              {pair.right !== null && <NotesAt place={placeOf(pair.right)} comments={comments} />}
            </Fragment>
          ))
        : lines.map((line) => (
            <Fragment key={line.at}>
              <div class={`line ${tone(line)}`}>
                <LineNumber number={line.oldNumber} line={line} comments={comments} />
                <LineNumber number={line.newNumber} line={line} comments={comments} />
                <span class="sign">{line.mark === "" ? " " : line.mark}</span>
                <code class="line-text">{text(line)}</code>
              </div>
              <NotesAt place={placeOf(line)} comments={comments} />
            </Fragment>
          ))}
    </div>
  );
}

type SideProps = {
  line: Line | null;
  side: "old" | "new";
  tone: (line: Line) => string;
  text: (line: Line) => preact.JSX.Element;
  comments: LineComments;
};

/** A line's number. A click on it begins a comment; the keyboard has a button in the file's header. */
function LineNumber({ number, line, comments }: { number: number | null; line: Line; comments: LineComments }) {
  const place = placeOf(line);
  if (!comments.enabled || place === null || number === null) return <span class="number">{number}</span>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in the file's header does the same for the keyboard.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
    <span class="number can-comment" title={t("diff.comment.label", { line: number })} onClick={() => comments.begin(place)}>
      {number}
    </span>
  );
}

function Side({ line, side, tone, text, comments }: SideProps) {
  if (line === null) return <div class="side nothing" />;
  return (
    <div class={`side ${tone(line)}`}>
      <LineNumber number={side === "old" ? line.oldNumber : line.newNumber} line={line} comments={comments} />
      <span class="sign">{line.kind === "same" ? " " : line.mark}</span>
      <code class="line-text">{text(line)}</code>
    </div>
  );
}
