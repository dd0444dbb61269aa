// Random ids. The first line holds some, and to load `node:crypto` for them would take as long as all of our own code.
import { closeSync, openSync, readSync } from "node:fs";

const BYTES = 16;
const pool = Buffer.alloc(64 * BYTES);
let used = pool.length;

/** A random UUID (version 4), from the system's own source of randomness. */
export function randomUuid(): string {
  if (used === pool.length) {
    fill(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + BYTES);
  used += BYTES;
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function fill(bytes: Buffer): void {
  if (!readRandom(bytes)) process.getBuiltinModule("node:crypto").randomFillSync(bytes);
}

/** False where the system has no such file, or none that gives enough. */
function readRandom(bytes: Buffer): boolean {
  let file: number | undefined;
  try {
    file = openSync("/dev/urandom", "r");
    return readSync(file, bytes) === bytes.length;
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
