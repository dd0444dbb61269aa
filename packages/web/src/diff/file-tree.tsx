// The files of a diff with what happens to each, and which of them were seen.
import type { FilePatch } from "@hap/protocol";
import { SafeText } from "../ticket/safe-text.tsx";
import { Icon } from "../ui/icons.tsx";
import { t } from "../words/words.ts";
import { countLines, statusOf } from "./file-status.ts";

export function FileTree({ files, isSeen }: { files: readonly FilePatch[]; isSeen: (at: number) => boolean }) {
  const seen = files.filter((_, at) => isSeen(at)).length;
  return (
    <nav class="file-tree" aria-label={t("diff.files")}>
      <p class="quiet-words">{t("diff.seenFiles", { seen, count: files.length })}</p>
      <ul>
        {files.map((file, at) => {
          const status = statusOf(file);
          return (
            <li key={at}>
              <button
                type="button"
                class="quiet file-jump"
                onClick={(event) =>
                  event.currentTarget.closest(".diff")?.querySelector(`[data-file="${at}"]`)?.scrollIntoView({ block: "start" })
                }
              >
                <span class={`file-status status-${status}`} title={t(`diff.status.${status}`)}>
                  <span aria-hidden="true">{t(`diff.status.${status}`).charAt(0).toUpperCase()}</span>
                  <span class="unseen">{t(`diff.status.${status}`)}</span>
                </span>
                <span class="path" translate={false}>
                  {file.paths.path === "" ? t("diff.noName") : <SafeText text={file.paths.path} />}
                </span>
                <span class="added-count">+{countLines(file, "+")}</span>
                <span class="removed-count">−{countLines(file, "-")}</span>
                <span class={isSeen(at) ? "viewed-mark is-seen" : "viewed-mark"}>
                  {isSeen(at) && <Icon name="check" />}
                  <span class="unseen">{isSeen(at) ? t("diff.seen") : t("diff.notSeen")}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
