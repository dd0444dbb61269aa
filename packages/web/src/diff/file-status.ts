// What a diff does to a file: added, deleted, moved or changed, and whether its bytes can be shown.
import type { FilePatch } from "@hap/protocol";

export type FileStatus = "added" | "deleted" | "moved" | "changed";

/** Read from the header's lines, as git and diff write them. */
export function statusOf({ header, paths, hunks }: FilePatch): FileStatus {
  const has = (start: string) => header.some((line) => line.startsWith(start));
  if (has("new file mode") || has("--- /dev/null")) return "added";
  if (has("deleted file mode") || has("+++ /dev/null")) return "deleted";
  if (paths.oldPath !== undefined) return "moved";
  const first = hunks[0]?.lines[0] ?? "";
  return /^@@ -0,0 /.test(first) && hunks.length === 1 ? "added" : "changed";
}

/** True where the diff holds no lines because the file is not text. */
export function isBinary({ header, tail }: FilePatch): boolean {
  return [...header, ...tail].some((line) => /^Binary files .* differ$|^GIT binary patch$/.test(line));
}

/** The sizes that a binary patch states, old and new; null where it does not. */
export function binarySizes({ header, tail }: FilePatch): { before: number | null; after: number } | null {
  const sizes = [...header, ...tail].flatMap((line) => {
    const found = /^(?:literal|delta) ([0-9]{1,12})$/.exec(line);
    return found === null ? [] : [Number(found[1])];
  });
  const [after, before = null] = sizes;
  return after === undefined ? null : { before, after };
}

/** Lines with a mark of their own, counted in the hunks. */
export function countLines({ hunks }: FilePatch, mark: "+" | "-"): number {
  return hunks.flatMap((hunk) => hunk.lines.slice(1).filter((line) => line.slice(0, hunk.columns).includes(mark))).length;
}
