// One file of a diff: its name, which folds it, whether it was seen, and its hunks.
import type { FilePatch } from "@hap/protocol";
import { useEffect, useMemo, useState } from "preact/hooks";
import { SafeText } from "../ticket/safe-text.tsx";
import { t } from "../words/words.ts";
import { binarySizes, countLines, isBinary, statusOf } from "./file-status.ts";
import { isGenerated } from "./generated.ts";
import { highlight, type Token } from "./highlight.ts";
import { HunkView } from "./hunk-view.tsx";
import { ImagePair } from "./image-pair.tsx";
import { languageOf } from "./languages.ts";
import { CommentByNumber, type LineComments, useLineComments } from "./line-comments.tsx";
import { linesOf } from "./rows.ts";

type Props = {
  file: FilePatch;
  at: number;
  /** The names of its parts, for what was seen of it. */
  names: readonly string[];
  seen: boolean;
  /** What the person chose; null where they did not. */
  folded: boolean | null;
  split: boolean;
  whitespace: boolean;
  onFold: (to: boolean) => void;
  onViewed: () => void;
};

export function FileView({ file, at, names, seen, folded, split, whitespace, onFold, onViewed }: Props) {
  const { path, oldPath } = file.paths;
  const generated = isGenerated(path);
  const closed = folded ?? generated;
  const name = path === "" ? t("diff.nameless") : path;
  const comments = useLineComments(path);
  const lines = useMemo(() => file.hunks.flatMap(linesOf), [file]);
  return (
    <section class="diff-file" data-file={at} aria-label={name} {...(closed && !seen ? { "data-unseen": "" } : {})}>
      <header class="diff-file-name">
        <button
          type="button"
          class="quiet fold"
          aria-expanded={!closed}
          aria-label={t(closed ? "diff.open" : "diff.fold", { name })}
          onClick={() => onFold(!closed)}
        >
          <span aria-hidden="true">{closed ? "▸" : "▾"}</span>
        </button>
        <span class="path">
          {oldPath !== undefined && (
            <>
              <SafeText text={oldPath} /> →{" "}
            </>
          )}
          {path === "" ? t("diff.noName") : <SafeText text={path} />}
          {statusOf(file) !== "changed" && <span class="file-note">{t(`diff.status.${statusOf(file)}`)}</span>}
          {generated && <span class="file-note">{t("diff.generated")}</span>}
        </span>
        <span class="added-count">+{countLines(file, "+")}</span>
        <span class="removed-count">−{countLines(file, "-")}</span>
        {!closed && <CommentByNumber lines={lines} comments={comments} />}
        <label class="viewed">
          <input type="checkbox" checked={seen} disabled={seen || !closed} onChange={onViewed} />
          <span>{t("diff.seen")}</span>
        </label>
      </header>
      {!closed && <FileBody file={file} names={names} split={split} whitespace={whitespace} comments={comments} />}
    </section>
  );
}

type BodyProps = Pick<Props, "file" | "names" | "split" | "whitespace"> & { comments: LineComments };

function FileBody({ file, names, split, whitespace, comments }: BodyProps) {
  const tokens = useColours(file);
  const sizes = binarySizes(file);
  const alone = file.hunks.length === 0;
  return (
    <>
      <div {...(alone ? { "data-part": names[0] } : {})}>
        {file.header.length > 0 && <Loose lines={file.header} />}
        {isBinary(file) && (
          <p class="binary quiet-words">
            {sizes === null
              ? t("diff.binary")
              : sizes.before === null
                ? t("diff.binaryNew", { after: sizes.after })
                : t("diff.binarySizes", { before: sizes.before, after: sizes.after })}
          </p>
        )}
        {isBinary(file) && <ImagePair file={file} />}
        {alone && file.tail.length > 0 && <Loose lines={file.tail} />}
      </div>
      {file.hunks.map((hunk, at) => (
        <HunkView
          hunk={hunk}
          part={names[at] ?? ""}
          tokens={tokens?.[at] ?? null}
          split={split}
          whitespace={whitespace}
          comments={comments}
          key={at}
        />
      ))}
      {!alone && file.tail.length > 0 && <Loose lines={file.tail} />}
    </>
  );
}

function Loose({ lines }: { lines: readonly string[] }) {
  return (
    <pre class="diff-loose">
      <SafeText text={lines.join("\n")} />
    </pre>
  );
}

/** Colours of every hunk: old and new lines are read apart, so that neither breaks the other's grammar. */
function useColours(file: FilePatch): ReadonlyMap<number, Token[]>[] | null {
  const [colours, setColours] = useState<ReadonlyMap<number, Token[]>[] | null>(null);
  useEffect(() => {
    let here = true;
    const language = languageOf(file.paths.path);
    if (language === null || file.hunks.some(({ columns }) => columns > 1)) return;
    const hunks = file.hunks.map(async (hunk) => {
      const lines = linesOf(hunk).filter(({ kind }) => kind !== "note");
      const colour = async (skip: string) => {
        const side = lines.filter(({ kind }) => kind !== skip);
        const tokens = await highlight(side.map(({ text }) => text).join("\n"), language);
        return side.map(({ at }, index) => [at, tokens?.[index] ?? null] as const);
      };
      const [before, after] = await Promise.all([colour("added"), colour("removed")]);
      return new Map([...before, ...after].filter((entry): entry is [number, Token[]] => entry[1] !== null));
    });
    // Without colours everything is still there.
    Promise.all(hunks).then(
      (all) => here && setColours(all),
      () => {},
    );
    return () => {
      here = false;
    };
  }, [file]);
  return colours;
}
