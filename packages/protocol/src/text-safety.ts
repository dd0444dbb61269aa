// What a person is shown must be what is there: characters that hide, reorder or imitate others are made visible.

/** Code points that show nothing, move what stands beside them, or mean what a font says they mean. */
const hiddenRanges: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x08], // controls but tab and newline
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f],
  [0x61c, 0x61c], // Arabic letter mark
  [0x115f, 0x1160], // fillers
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f], // zero-width and directional marks
  [0x2028, 0x202e], // separators, embeddings and overrides
  [0x2060, 0x206f], // invisible operators, isolates
  [0x2800, 0x2800], // an empty Braille cell
  [0x3164, 0x3164],
  [0xe000, 0xf8ff], // private use
  [0xfdd0, 0xfdef], // no characters at all, as the last two of every plane
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x13430, 0x1343f], // hieroglyph and shorthand layout
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff], // tags
  [0xf0000, 0x10ffff], // private planes
  ...Array.from({ length: 15 }, (_, plane) => [plane * 0x10000 + 0xfffe, plane * 0x10000 + 0xffff] as const),
];
const hex = (code: number) => `\\u{${code.toString(16)}}`;
const hidden = new RegExp(`[${hiddenRanges.map(([first, last]) => `${hex(first)}-${hex(last)}`).join("")}]`, "gu");

/** Replace every hidden character by its code in angle brackets, say `<U+202E>`; tab and newline stay. */
export function showInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(hidden, (char) => `<U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}>`);
}

/** True when a text holds characters that would be made visible. */
export function hasInvisible(text: string): boolean {
  return !text.isWellFormed() || text.search(hidden) !== -1;
}

/** Blocks whose letters imitate Latin ones: Greek, Cyrillic, Armenian, Cherokee, phonetic, Coptic, Lisu, wide, mathematical. */
const foreign =
  "\\u0250-\\u02af\\u0370-\\u0373\\u0376-\\u037d\\u037f-\\u052f\\u0531-\\u0587\\u13a0-\\u13fd\\u1c80-\\u1c8f\\u1d00-\\u1dbf\\u1f00-\\u1fff\\u2c80-\\u2cff\\u2de0-\\u2dff\\ua4d0-\\ua4ff\\ua640-\\ua69f\\uab30-\\uabbf\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d7ff}";
const wordOfAny = new RegExp(`[A-Za-z0-9_./${foreign}-]+`, "gu");
const anyForeign = new RegExp(`[${foreign}]`, "u");

/** The words of a text, paths and domains taken whole, that mix ASCII letters with letters that look like them. */
export function findLookAlikes(text: string): string[] {
  if (!anyForeign.test(text)) return [];
  const mixed = (text.match(wordOfAny) ?? []).filter((word) => /[A-Za-z]/.test(word) && anyForeign.test(word));
  return [...new Set(mixed)];
}

/** A text inside a sentence of the runtime: in quotes, on one line, hidden characters shown, at most `max` characters. */
export function quoteShown(text: string, max: number): string {
  const chars = [...showInvisible(text)];
  const cut = chars.length > max ? `${chars.slice(0, max).join("")}…` : chars.join("");
  return `"${cut.replaceAll('"', "<U+0022>").replaceAll("\t", "<U+0009>").replaceAll("\n", "<U+000A>")}"`;
}
