// The hash of a file's bytes, read in parts, and of bytes and texts.
import { createHash, hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import type { Sha256 } from "@hap/protocol";

export const sha256: Sha256 = (data) => hash("sha256", data, "hex");

export function hashBytesOf(bytes: Uint8Array | string): string {
  return `sha256:${hash("sha256", bytes, "hex")}`;
}

export function hashFile(path: string): string {
  const digest = createHash("sha256");
  const chunk = Buffer.alloc(1 << 20);
  const file = openSync(path, "r");
  try {
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk)) digest.update(chunk.subarray(0, count));
  } finally {
    closeSync(file);
  }
  return `sha256:${digest.digest("hex")}`;
}
