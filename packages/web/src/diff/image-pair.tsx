// An image before and after, from a binary patch.
import type { FilePatch } from "@hap/protocol";
import { useEffect, useState } from "preact/hooks";
import { t } from "../words/words.ts";
import { imageType, literals, toImage } from "./binary-image.ts";
import { statusOf } from "./file-status.ts";

export function ImagePair({ file }: { file: FilePatch }) {
  const type = imageType(file.paths.path);
  const [pair, setPair] = useState<{ before: string | null; after: string | null } | null>(null);
  useEffect(() => {
    let here = true;
    if (type === null) return;
    const [after, before] = literals([...file.header, ...file.tail]);
    const read = (one: typeof after) => (one === undefined ? Promise.resolve(null) : toImage(type, one));
    void Promise.all([read(before), read(after)]).then(([old, fresh]) => here && setPair({ before: old, after: fresh }));
    return () => {
      here = false;
    };
  }, [file, type]);
  if (pair === null || (pair.before === null && pair.after === null)) return null;
  const { path } = file.paths;
  const status = statusOf(file);
  return (
    <div class="image-pair">
      {pair.before !== null && status !== "added" && (
        <figure>
          <img src={pair.before} alt={t("diff.image.before", { path })} />
          <figcaption>{t("diff.image.beforeLabel")}</figcaption>
        </figure>
      )}
      {pair.after !== null && status !== "deleted" && (
        <figure>
          <img src={pair.after} alt={t("diff.image.after", { path })} />
          <figcaption>{t("diff.image.afterLabel")}</figcaption>
        </figure>
      )}
    </div>
  );
}
