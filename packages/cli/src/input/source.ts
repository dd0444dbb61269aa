// What an option may take: the text itself, @FILE, or - for standard input. Bytes must be text, and not too many.
import { closeSync, openSync, readSync } from "node:fs";
import { HapError, type Json, LIMITS, parseJson, quote } from "@hap/protocol";

const STDIN = 0;

/** Standard input can be read once; the second option that wants it is told so. */
let stdinTakenBy: string | null = null;

/** JSON from a text, @FILE or standard input. */
export function readJsonSource(source: string, name: string): Json {
  return parseJson(readSource(source, name).replace(/^\uFEFF/, ""), name);
}

/** A JSON object from a text, @FILE or standard input. */
export function readJsonObject(source: string, name: string): Record<string, Json> {
  const value = readJsonSource(source, name);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, Json>;
  throw new HapError("invalid_input", `${name} must be a JSON object, such as {"command":"ls"}.`, { field: name });
}

function readSource(source: string, name: string): string {
  if (source === "-") return readStdin(name);
  return source.startsWith("@") ? readTextFile(source.slice(1), name) : source;
}

/** The text of a file, or of standard input when it is called -. */
export function readTextFile(path: string, name: string): string {
  if (path === "-") return readStdin(name);
  if (path.includes("\0")) throw new HapError("invalid_input", `${name} names a file with a NUL character.`, { field: name });
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    throw unreadable(path, name, error);
  }
  try {
    return decode(readLimited(file, name, path), name, path);
  } catch (error) {
    throw error instanceof HapError ? error : unreadable(path, name, error);
  } finally {
    closeSync(file);
  }
}

function readStdin(name: string): string {
  if (stdinTakenBy !== null) {
    throw new HapError("invalid_input", `${name} and ${stdinTakenBy} cannot both come from standard input; give one as @FILE.`, {
      field: name,
    });
  }
  stdinTakenBy = name;
  return decode(readLimited(STDIN, name, "standard input"), name, "standard input");
}

/** Reads to the end, or to the limit of one content, past which it would be refused anyway. */
function readLimited(file: number, name: string, from: string): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.alloc(65_536);
    const count = readChunk(file, chunk);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    size += count;
    if (size > LIMITS.contentBytes) {
      throw new HapError(
        "too_large",
        `${name} (${quote(from)}) has more than ${LIMITS.contentBytes} bytes, which is the most that is kept.`,
        {
          field: name,
          limit: LIMITS.contentBytes,
        },
      );
    }
  }
}

/** A pipe that has nothing yet says EAGAIN when its other end is not blocking. */
function readChunk(file: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(file, chunk);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function decode(bytes: Buffer, name: string, from: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new HapError("invalid_input", `${name} (${quote(from)}) is not UTF-8 text.`, { field: name });
  }
}

function unreadable(path: string, name: string, error: unknown): HapError {
  const { code } = error as NodeJS.ErrnoException;
  const why = { ENOENT: "there is no such file", EISDIR: "it is a folder", EACCES: "you may not read it" }[code ?? ""] ?? code;
  return new HapError("invalid_input", `${name}: ${quote(path)} cannot be read: ${why}.`, { field: name, path }, error);
}
