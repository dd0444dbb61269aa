// From a diff and the files as they are to the files as they will be, or to the reasons why the diff is stale.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { HapError } from "@hap/protocol";
import { applyHunks } from "./apply-hunks.ts";
import { checkPath } from "./check-path.ts";
import { type PatchFile, parsePatch } from "./parse-patch.ts";

/** One file: null is a file that is not there. `mode` is what it gets when it is written. */
export type Change = { path: string; before: string | null; after: string | null; mode: number };
export type Plan = { changes: Change[] } | { stale: string[] };

export function planChanges(root: string, diff: string): Plan {
  const files = parsePatch(diff);
  const named = files.flatMap(({ from, to }) => [...new Set([from, to].filter((path) => path !== null))]);
  const twice = named.find((path, at) => named.indexOf(path) !== at);
  if (twice !== undefined)
    throw new HapError("invalid_input", `The diff names ${twice} twice; ask for one change a file.`, {
      field: "diff",
      path: twice,
    });
  for (const path of named) checkPath(root, path);
  const changes: Change[] = [];
  const stale: string[] = [];
  for (const file of files) {
    const problem = planFile(root, file, changes);
    if (problem !== null) stale.push(problem);
  }
  return stale.length > 0 ? { stale } : { changes };
}

function planFile(root: string, file: PatchFile, changes: Change[]): string | null {
  const { from, to, hunks, copy } = file;
  const shown = to ?? from ?? "";
  if (file.mode !== null && file.mode !== "100644" && file.mode !== "100755")
    throw new HapError(
      "invalid_input",
      `${shown} would become a link or a module (mode ${file.mode}): HAP applies plain files only.`,
      {
        field: "diff",
        path: shown,
      },
    );
  if (from !== null && !existsSync(join(root, from))) return `${from} is not there.`;
  if (to !== null && to !== from && existsSync(join(root, to))) return `${to} is there already.`;
  const before = from === null ? null : readText(join(root, from));
  if (before !== null && file.oldBlob !== null && !blobId(before, file.oldBlob.length > 40).startsWith(file.oldBlob))
    return `${from} has changed since the diff was made.`;
  const applied = applyHunks(before ?? "", hunks);
  if ("stale" in applied) return `${from ?? to}: ${applied.stale}.`;
  if (to === null && applied.after !== "") return `${from} holds more than the diff deletes.`;
  const mode = file.mode === null ? modeOf(from === null ? null : join(root, from)) : Number.parseInt(file.mode.slice(-3), 8);
  if (from !== null && to !== from && !copy) changes.push({ path: from, before, after: null, mode });
  if (to !== null) changes.push({ path: to, before: to === from ? before : null, after: applied.after, mode });
  return null;
}

/** Bytes as text that gives the same bytes again; anything else is no text that a diff could have shown. */
export function readText(path: string): string {
  const bytes = readFileSync(path);
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  throw new HapError("invalid_input", `${path} is no UTF-8 text; HAP applies diffs of text only.`, { field: "diff", path });
}

function modeOf(path: string | null): number {
  return path === null ? 0o644 : statSync(path).mode & 0o777;
}

/** Git's id of a file's bytes. */
function blobId(text: string, long: boolean): string {
  const bytes = Buffer.from(text, "utf8");
  return createHash(long ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}
