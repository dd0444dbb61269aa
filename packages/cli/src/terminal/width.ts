// How many columns a text takes in a terminal: CJK and emoji two, combining marks none.

/** First and last code point of what East Asian fonts draw two columns wide (Unicode's W and F). */
const wideRanges: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x23e9, 0x23ec],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x26a1, 0x26a1],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x2753, 0x2757],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f19a],
  [0x1f200, 0x1f320],
  [0x1f32d, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7eb],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
];
const plain = /^[ -~]*$/;
const nothing = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;

let segmenter: Intl.Segmenter | undefined;

/** The characters as a reader counts them. */
export function graphemes(text: string): string[] {
  if (plain.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns of a text without escape sequences. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** Columns of one grapheme: those of its widest part, since marks lie on their letter and joined emoji are one picture. */
export function graphemeWidth(grapheme: string): number {
  let widest = 0;
  for (const char of grapheme) widest = Math.max(widest, charWidth(char));
  return widest;
}

function charWidth(char: string): number {
  if (nothing.test(char)) return 0;
  const code = char.codePointAt(0) as number;
  return wideRanges.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** Fit into `width` columns; what is cut off leaves an ellipsis. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width <= 0) return "";
  let kept = "";
  let used = 0;
  for (const grapheme of graphemes(text)) {
    const columns = graphemeWidth(grapheme);
    if (used + columns > width - 1) break;
    kept += grapheme;
    used += columns;
  }
  return `${kept}…`;
}

/** Fill with spaces up to `width` columns. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
