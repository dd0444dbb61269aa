// The files that a diff changes, with their counts.
import type { DiffFile } from "@hap/protocol";
import { useContext } from "preact/hooks";
import { t } from "../words/words.ts";
import { ReadingContext } from "./reading.ts";
import { SafeText } from "./safe-text.tsx";

export function FileList({ files, part = null }: { files: readonly DiffFile[]; part?: string | null }) {
  const prefix = useContext(ReadingContext)?.prefix ?? "";
  return (
    <ul class="file-list" {...(part === null ? {} : { "data-part": prefix + part })}>
      {files.map(({ path, old_path: from, added, removed }, at) => (
        <li key={at}>
          <span class="path">
            {from !== undefined && (
              <>
                <SafeText text={from} /> →{" "}
              </>
            )}
            {path === "" ? <span translate={true}>{t("diff.noName")}</span> : <SafeText text={path} />}
          </span>
          <span class="added-count">+{added}</span>
          <span class="removed-count">−{removed}</span>
        </li>
      ))}
    </ul>
  );
}
