// A whole diff, file by file: headers, hunks and whatever else stands in it. Nothing is folded away.
import { type FilePatch, parseDiff } from "@hap/protocol";
import { useEffect, useMemo, useState } from "preact/hooks";
import { prefer, preferences } from "../state/preferences.ts";
import { SafeText } from "../ticket/safe-text.tsx";
import { t } from "../words/words.ts";
import { highlight, type Token } from "./highlight.ts";
import { HunkView } from "./hunk-view.tsx";
import { languageOf } from "./languages.ts";
import { linesOf } from "./rows.ts";

export function DiffView({ text }: { text: string }) {
  const { preamble, files } = useMemo(() => parseDiff(text), [text]);
  const { diffLayout, showWhitespace } = preferences.value;
  return (
    <div class="diff">
      <fieldset class="diff-tools" aria-label={t("diff.diffView.howTheDiffIsShown")}>
        <button
          type="button"
          class="quiet"
          aria-pressed={diffLayout === "unified"}
          onClick={() => prefer({ diffLayout: "unified" })}
        >
          {t("diff.diffView.unified")}
        </button>
        <button
          type="button"
          class="quiet wide-only"
          aria-pressed={diffLayout === "split"}
          onClick={() => prefer({ diffLayout: "split" })}
        >
          {t("diff.diffView.sideBySide")}
        </button>
        <button
          type="button"
          class="quiet"
          aria-pressed={showWhitespace}
          onClick={() => prefer({ showWhitespace: !showWhitespace })}
        >
          {t("diff.diffView.whitespace")}
        </button>
      </fieldset>
      {preamble.length > 0 && <Loose lines={preamble} />}
      {files.map((file, at) => (
        <FileView file={file} split={diffLayout === "split"} whitespace={showWhitespace} key={at} />
      ))}
    </div>
  );
}

function Loose({ lines }: { lines: readonly string[] }) {
  return (
    <pre class="diff-loose">
      <SafeText text={lines.join("\n")} />
    </pre>
  );
}

function FileView({ file, split, whitespace }: { file: FilePatch; split: boolean; whitespace: boolean }) {
  const tokens = useColours(file);
  const { path, oldPath } = file.paths;
  const count = (mark: string) =>
    file.hunks.flatMap((hunk) => hunk.lines.slice(1).filter((line) => line.slice(0, hunk.columns).includes(mark))).length;
  return (
    <section class="diff-file" aria-label={path === "" ? t("diff.diffView.aFileWithoutAName") : path}>
      <header class="diff-file-name">
        <span class="path">
          {oldPath !== undefined && (
            <>
              <SafeText text={oldPath} /> →{" "}
            </>
          )}
          {path === "" ? t("diff.diffView.noName") : <SafeText text={path} />}
        </span>
        <span class="added-count">+{count("+")}</span>
        <span class="removed-count">−{count("-")}</span>
      </header>
      {file.header.length > 0 && <Loose lines={file.header} />}
      {file.hunks.map((hunk, at) => (
        <HunkView hunk={hunk} tokens={tokens?.[at] ?? null} split={split} whitespace={whitespace} key={at} />
      ))}
      {file.tail.length > 0 && <Loose lines={file.tail} />}
    </section>
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
