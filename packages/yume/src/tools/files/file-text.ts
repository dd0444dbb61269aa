// Files as text, and back with the encoding, the byte order mark and the line endings that they had.
import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../tool.ts";

export type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "latin1";
export type FileText = { text: string; encoding: Encoding };

/** How far into a file a zero byte makes it binary. */
const SNIFF = 8_192;

/** Decode bytes; null when they are no text. */
export function decode(bytes: Buffer): FileText | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return { text: bytes.toString("utf8", 3), encoding: "utf-8-bom" };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: bytes.toString("utf16le", 2), encoding: "utf-16le" };
  if (bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0)
    return { text: Buffer.from(bytes.subarray(2)).swap16().toString("utf16le"), encoding: "utf-16be" };
  if (bytes.subarray(0, SNIFF).includes(0)) return null;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    return { text: bytes.toString("latin1"), encoding: "latin1" };
  }
}

/** Encode a text as the file had it. */
export function encode(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case "utf-8":
      return Buffer.from(text, "utf8");
    case "utf-8-bom":
      return Buffer.from(`\ufeff${text}`, "utf8");
    case "utf-16le":
      return Buffer.from(`\ufeff${text}`, "utf16le");
    case "utf-16be":
      return Buffer.from(`\ufeff${text}`, "utf16le").swap16();
    case "latin1":
      // What latin1 cannot hold makes the file UTF-8 rather than wrong.
      return /[^\0-\xff]/.test(text) ? Buffer.from(text, "utf8") : Buffer.from(text, "latin1");
  }
}

/** Read a whole text file for a change. */
export async function readText(path: string, shown: string): Promise<FileText> {
  const file = decode(await readFile(path));
  if (file === null) throw new ToolError(`${shown} is a binary file; it cannot be read or edited as text.`);
  return file;
}

/** Write a file whole or not at all; it keeps its mode. Folders on the way are made. */
export async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const mode = await stat(path).then(
    (found) => found.mode & 0o7777,
    () => null,
  );
  const temporary = join(dirname(path), `.yume-${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(temporary, "wx", mode ?? 0o666);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (mode !== null) await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
