// SQLite's failures in our words: what happened to which file, and what to do.
import { type ErrorCode, HapError, isHapError } from "@hap/protocol";

/** Primary result codes of SQLite, and the error that each becomes. */
const codes: Record<number, { code: ErrorCode; words: (path: string) => string }> = {
  5: {
    code: "store_busy",
    words: (path) => `${path} is locked by another process. Try again; if it stays so, see which program holds it open.`,
  },
  6: { code: "store_busy", words: (path) => `${path} is locked by another connection. Try again.` },
  8: {
    code: "store_read_only",
    words: (path) =>
      `${path} cannot be written. Check the permissions of the file and its folder, and that the disk is not mounted read-only.`,
  },
  10: {
    code: "store_full",
    words: (path) =>
      `The disk did not take or give the data of ${path}. Check free space, file size limits and the disk itself. Nothing was changed.`,
  },
  11: { code: "store_corrupt", words: (path) => `${path} is damaged. Stop, keep a copy for inquiry, and restore a backup.` },
  13: {
    code: "store_full",
    words: (path) => `The disk is full: ${path} could not grow. Free some space and try again. Nothing was changed.`,
  },
  14: {
    code: "store_unusable",
    words: (path) => `${path} cannot be opened. Check that its folder exists and that you may read and write it.`,
  },
  23: { code: "store_unusable", words: (path) => `Access to ${path} was refused by the system.` },
  26: {
    code: "store_corrupt",
    words: (path) =>
      `${path} is not a HAP store: it is damaged, or another kind of file. Restore a backup, or set HAP_DB_PATH to another path.`,
  },
};

/** The primary code of an SQLite error, or null for any other. */
function sqliteCode(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return null;
  return typeof error.errcode === "number" ? error.errcode & 0xff : null;
}

/** Turn an SQLite error into ours; everything else passes as it is. */
export function translateError(error: unknown, path: string): unknown {
  if (isHapError(error)) return error;
  const code = sqliteCode(error);
  if (code === null) return error;
  const known = codes[code];
  const detail = (error as Error).message;
  if (known === undefined)
    return new HapError("store_unusable", `${path}: SQLite says "${detail}" (${code}).`, { path, sqlite: code }, error);
  return new HapError(known.code, `${known.words(path)} (SQLite: ${detail})`, { path, sqlite: code }, error);
}
