// A whole diff, file by file: a tree of its files, then each with its hunks. What is folded counts as not read.
import { type FilePatch, parseDiff } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { prefer, preferences } from "../state/preferences.ts";
import { useParts } from "../ticket/reading.ts";
import { SafeText } from "../ticket/safe-text.tsx";
import { t } from "../words/words.ts";
import { FileTree } from "./file-tree.tsx";
import { FileView } from "./file-view.tsx";

/** Up to so many files, the list above the diff is enough. */
const TREE_FROM = 3;

/** The parts of a file that must have been in view: its hunks, or its header where it has none. */
function partsOf({ hunks }: FilePatch, file: number): string[] {
  return hunks.length === 0 ? [`diff/${file}`] : hunks.map((_, at) => `diff/${file}/${at}`);
}

export function DiffView({ text }: { text: string }) {
  const { preamble, files } = useMemo(() => parseDiff(text), [text]);
  const parts = useMemo(() => files.map(partsOf), [files]);
  const loose = preamble.length > 0 ? ["diff/loose"] : [];
  const { partName, isSeen, mark } = useParts("diff", [...loose, ...parts.flat()]);
  const folded = useSignal<ReadonlyMap<number, boolean>>(new Map());
  const { diffLayout, showWhitespace } = preferences.value;
  const fold = (at: number, to: boolean) => {
    folded.value = new Map([...folded.value, [at, to]]);
  };
  return (
    <div class="diff">
      <fieldset class="diff-tools" aria-label={t("diff.tools")}>
        <button
          type="button"
          class="quiet"
          aria-pressed={diffLayout === "unified"}
          onClick={() => prefer({ diffLayout: "unified" })}
        >
          {t("diff.unified")}
        </button>
        <button
          type="button"
          class="quiet wide-only"
          aria-pressed={diffLayout === "split"}
          onClick={() => prefer({ diffLayout: "split" })}
        >
          {t("diff.split")}
        </button>
        <button
          type="button"
          class="quiet"
          aria-pressed={showWhitespace}
          onClick={() => prefer({ showWhitespace: !showWhitespace })}
        >
          {t("diff.whitespace")}
        </button>
      </fieldset>
      {files.length > TREE_FROM && <FileTree files={files} isSeen={(at) => isSeen(parts[at] ?? [])} />}
      {preamble.length > 0 && (
        <pre class="diff-loose" data-part={partName("diff/loose")}>
          <SafeText text={preamble.join("\n")} />
        </pre>
      )}
      {files.map((file, at) => (
        <FileView
          file={file}
          at={at}
          names={(parts[at] ?? []).map(partName)}
          seen={isSeen(parts[at] ?? [])}
          folded={folded.value.get(at) ?? null}
          split={diffLayout === "split"}
          whitespace={showWhitespace}
          onFold={(to) => fold(at, to)}
          onViewed={() => {
            mark(parts[at] ?? []);
            fold(at, true);
          }}
          key={at}
        />
      ))}
    </div>
  );
}
