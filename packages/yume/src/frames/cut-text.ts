// Text within a limit: the beginning and the end stay, and what is between says how much is missing. Never half a character.

/** Cut a text in the middle. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const head = text
    .slice(0, half)
    .toWellFormed()
    .replace(/\ufffd$/, "");
  const tail = text
    .slice(-half)
    .toWellFormed()
    .replace(/^\ufffd/, "");
  return `${head}\n[${text.length - head.length - tail.length} characters left out]\n${tail}`;
}

/** Characters that fit into a line, whatever they are. */
export const PIECE = 16_000;

/** A text in pieces of at most `limit` characters that can each stand alone. */
export function pieces(text: string, limit: number): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + limit);
    // A pair of surrogates is one character.
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] as string)) end--;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}

/** What a value takes in a line. */
export function lineBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** A text that takes at most so many bytes in a line, cut in the middle when it must be. */
export function fitText(text: string, bytes: number): string {
  let limit = bytes;
  let shown = cutText(text, limit);
  // A character takes one byte, or as many as six when it is escaped.
  for (let size = lineBytes(shown); size > bytes; size = lineBytes(shown)) {
    limit = Math.floor(limit * Math.min(0.9, bytes / size));
    shown = cutText(text, limit);
  }
  return shown;
}
