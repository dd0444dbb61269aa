// Files that a person sends to an agent, read whole and within their limit.
import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { HapError, LIMITS, quote } from "@hap/protocol";

const mediaTypes: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
  ".pdf": "application/pdf",
  ".json": "application/json",
  ".md": "text/markdown",
  ".txt": "text/plain",
  ".log": "text/plain",
  ".csv": "text/csv",
};

/** Each file with its name, its type by its ending, and its bytes. */
export function readAttachments(paths: readonly string[]): { name: string; media_type: string; data: Uint8Array }[] {
  return paths.map((path) => {
    const media_type = mediaTypes[extname(path).toLowerCase()] ?? "application/octet-stream";
    return { name: basename(path), media_type, data: readWithin(path) };
  });
}

function readWithin(path: string): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size > LIMITS.attachmentBytes)
      throw new HapError(
        "too_large",
        `${quote(path)} has ${size} bytes; at most ${LIMITS.attachmentBytes} can be sent. Send its path in words.`,
        {
          field: "--attach",
          limit: LIMITS.attachmentBytes,
        },
      );
    return readFileSync(path);
  } catch (error) {
    if (error instanceof HapError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = { ENOENT: "there is no such file", EISDIR: "it is a folder", EACCES: "you may not read it" }[code ?? ""] ?? code;
    throw new HapError("invalid_input", `--attach: ${quote(path)} cannot be read: ${why}.`, { field: "--attach", path }, error);
  }
}
