// Paths as bytes, held in Latin-1 strings: one character for each byte, whatever the encoding of the name.

/** The bytes of a raw path. */
export function bytesOf(raw: string): Buffer {
  return Buffer.from(raw, "latin1");
}

/** The raw path of a text. */
export function rawOf(path: string): string {
  return isAscii(path) ? path : Buffer.from(path, "utf8").toString("latin1");
}

/** A raw path as text; bytes that are not UTF-8 are replaced. */
export function textOf(raw: string): string {
  return isAscii(raw) ? raw : bytesOf(raw).toString("utf8");
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}
