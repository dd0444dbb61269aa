// How a cell of the screen looks, as the words of a style sheet: colours, weight, and lines. Made of numbers only, so that nothing
// which a program printed can become part of it.
import type { IBufferCell } from "@xterm/headless";

/** The sixteen named colours, readable on the dark screen of the report. */
const NAMED = [
  ...["#3b4048", "#f0716b", "#7bc275", "#dcb455", "#6ea8fe", "#c98bdb", "#56b6c2", "#d8dade"],
  ...["#7f8590", "#ff8f88", "#98e08f", "#f5d27a", "#91c1ff", "#e0a8f0", "#7fdbe6", "#ffffff"],
];
const FRONT = "#d8dade";
const BACK = "#14161a";

/** The style of a cell; empty for one that looks like all others. */
export function cellStyle(cell: IBufferCell): string {
  const front = colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor());
  const back = colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  const [color, background] = cell.isInverse() ? [back ?? BACK, front ?? FRONT] : [front, back];
  const lines = [cell.isUnderline() ? "underline" : "", cell.isStrikethrough() ? "line-through" : ""].filter(Boolean);
  return [
    color === null ? "" : `color:${color}`,
    background === null ? "" : `background:${background}`,
    cell.isBold() ? "font-weight:700" : "",
    cell.isDim() ? "opacity:.6" : "",
    cell.isItalic() ? "font-style:italic" : "",
    cell.isInvisible() ? "visibility:hidden" : "",
    lines.length === 0 ? "" : `text-decoration:${lines.join(" ")}`,
  ]
    .filter(Boolean)
    .join(";");
}

function colour(rgb: boolean, palette: boolean, value: number): string | null {
  if (rgb) return hex(value);
  return palette ? paletteColour(value) : null;
}

/** The 256 colours: sixteen named ones, a cube of six steps a side, and greys. */
function paletteColour(index: number): string {
  const named = NAMED[index];
  if (named !== undefined) return named;
  if (index >= 232) return hex((8 + (index - 232) * 10) * 0x010101);
  const step = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const place = index - 16;
  return hex((step(Math.floor(place / 36)) << 16) | (step(Math.floor(place / 6) % 6) << 8) | step(place % 6));
}

function hex(value: number): string {
  return `#${value.toString(16).padStart(6, "0")}`;
}
