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
  [0x3164, 0x3164],
  [0xe000, 0xf8ff], // private use
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff], // tags
  [0xf0000, 0x10ffff],
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

const ascii = "[A-Za-z0-9_./-]";
/** Greek, Cyrillic, Armenian, Cherokee and full-width letters: the usual ones to imitate a Latin name with. */
const foreign = "[\\u0370-\\u052f\\u0531-\\u0587\\u13a0-\\u13fd\\uff21-\\uff3a\\uff41-\\uff5a]";
const lookAlike = new RegExp(`${ascii}*${foreign}+${ascii}[A-Za-z0-9_./-]*|${ascii}+${foreign}+`, "g");

/** The words of a text that mix ASCII with letters that look like it. */
export function findLookAlikes(text: string): string[] {
  return [...new Set(text.match(lookAlike) ?? [])];
}
