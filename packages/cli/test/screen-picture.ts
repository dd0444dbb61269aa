// A picture of a terminal's screen as SVG, from the cells that an emulator holds: text stays text, and sharp at any size.
import type { IBufferCell, Terminal } from "@xterm/headless";

export type Theme = { background: string; foreground: string; frame: string; colours: readonly string[] };

/** The eight colours of a terminal, on dark and on light paper, each with enough contrast to be read. */
export const THEMES: Record<"dark" | "light", Theme> = {
  dark: {
    background: "#0d1117",
    foreground: "#e6edf3",
    frame: "#30363d",
    colours: ["#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"],
  },
  light: {
    background: "#ffffff",
    foreground: "#1f2328",
    frame: "#d0d7de",
    colours: ["#24292f", "#cf222e", "#116329", "#7d4e00", "#0550ae", "#6639ba", "#1b7c83", "#6e7781"],
  },
};

/** The size of a character's cell, of its letters, and of the edge around the screen. */
export const CELL = { width: 8.43, height: 18, size: 14, edge: 14 };

/** The screen as one SVG document. */
export function screenPicture(terminal: Terminal, title: string, theme: Theme): string {
  const width = terminal.cols * CELL.width + 2 * CELL.edge;
  const height = terminal.rows * CELL.height + 2 * CELL.edge;
  const { baseY } = terminal.buffer.active;
  const top = (row: number) => CELL.edge + row * CELL.height;
  const rows = Array.from({ length: terminal.rows }, (_, row) => rowPicture(terminal, baseY + row, theme, top(row))).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height.toFixed(0)}" width="${width.toFixed(0)}" role="img" aria-label="${escapeText(title)}">
<title>${escapeText(title)}</title>
<rect x="0.5" y="0.5" width="${(width - 1).toFixed(0)}" height="${(height - 1).toFixed(0)}" rx="8" fill="${theme.background}" stroke="${theme.frame}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${CELL.size}">
${rows}</g>
</svg>
`;
}

type Run = { column: number; columns: number; text: string; look: string; back: string | null };

/** One line of the emulator's buffer, drawn at `top`; empty where it has no text. */
export function rowPicture(terminal: Terminal, line: number, theme: Theme, top: number): string {
  const runs = runsOf(terminal, line, theme);
  return runs
    .map(({ column, columns, text, look, back }) => {
      const x = (CELL.edge + column * CELL.width).toFixed(1);
      const length = (columns * CELL.width).toFixed(1);
      const paper = back === null ? "" : `<rect x="${x}" y="${top}" width="${length}" height="${CELL.height}" fill="${back}"/>`;
      if (text.trim() === "") return paper === "" ? "" : `${paper}\n`;
      const base = top + CELL.size;
      return `${paper}<text x="${x}" y="${base}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${look}>${escapeText(text.replaceAll(" ", "\u00a0"))}</text>\n`;
    })
    .join("");
}

/** Cells that look alike and follow each other are one piece of text. Spaces between words of one look belong to it. */
function runsOf(terminal: Terminal, at: number, theme: Theme): Run[] {
  const line = terminal.buffer.active.getLine(at);
  const runs: Run[] = [];
  for (let column = 0; column < terminal.cols; column++) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const { look, back } = lookOf(cell, theme);
    const text = cell.getChars() || " ";
    const last = runs.at(-1);
    if (last?.look === look && last.back === back) {
      last.text += text;
      last.columns += cell.getWidth();
    } else runs.push({ column, columns: cell.getWidth(), text, look, back });
  }
  return runs.map((run) => (run.back === null ? trimmed(run) : run));
}

function trimmed(run: Run): Run {
  const text = run.text.trimEnd();
  const before = text.length - text.trimStart().length;
  return {
    ...run,
    text: text.trimStart(),
    column: run.column + before,
    columns: run.columns - (run.text.length - text.length) - before,
  };
}

function lookOf(cell: IBufferCell, theme: Theme): { look: string; back: string | null } {
  const own = cell.isFgPalette() ? (theme.colours[cell.getFgColor() % 8] ?? theme.foreground) : theme.foreground;
  const inverse = cell.isInverse() !== 0;
  const fill = inverse ? theme.background : own;
  const weight = cell.isBold() ? ' font-weight="700"' : "";
  const dim = cell.isDim() ? ' fill-opacity="0.72"' : "";
  return { look: `fill="${fill}"${weight}${dim}`, back: inverse ? own : null };
}

export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The words of a picture, with what differs from run to run left out: times, ages, chance. */
export function pictureWords(svg: string): string {
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1] as string).join(" ");
  return texts
    .replace(/\s+/g, " ")
    .replace(/approve production \w{4}/, "approve production")
    .replace(/\d+h\d\dm|\d+:\d\d(:\d\d)?|\b\d+[smhd]\b|\d{4}-\d\d-\d\d/g, "#");
}
