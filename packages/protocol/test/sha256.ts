// The host's sha256 for tests: the package itself takes it as an input.
import { createHash } from "node:crypto";

/** Lower-case hex sha256 of a text's UTF-8 bytes, or of bytes. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
