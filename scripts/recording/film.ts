// The recording as one animated SVG: no script, so a README shows it. Each pane is a strip of frames behind a window that jumps from
// one to the next; equal rows are drawn once and used again.
import { CELL, escapeText, THEMES } from "../../packages/cli/test/screen-picture.ts";
import type { PaneFrame, ThemeName } from "./recorder.ts";

export type Film = {
  tracks: PaneFrame[][];
  titles: string[];
  captions: { at: number; text: string }[];
  columns: number;
  rows: number[];
  lengthMs: number;
  about: string;
};

const TITLE = 26;
const CAPTION = 34;

export function filmPicture(film: Film, name: ThemeName): string {
  const theme = THEMES[name];
  const width = Math.ceil(film.columns * CELL.width + 2 * CELL.edge);
  const heights = film.rows.map((rows) => TITLE + rows * CELL.height + CELL.edge);
  const height = CAPTION + heights.reduce((sum, one) => sum + one, 0);
  const drawn = new Map<string, string>();
  const idOf = (row: string) => {
    const id = drawn.get(row) ?? `r${drawn.size.toString(36)}`;
    drawn.set(row, id);
    return id;
  };
  const panes = film.tracks.map((frames, track) => {
    const top = CAPTION + heights.slice(0, track).reduce((sum, one) => sum + one, 0);
    const strip = frames.map(({ rows }, at) => frameOf(rows[name], at * width, idOf)).join("\n");
    return `<rect x="0.5" y="${top + 0.5}" width="${width - 1}" height="${(heights[track] ?? 0) - 1}" rx="8" fill="${theme.background}" stroke="${theme.frame}"/>
<text x="${width / 2}" y="${top + 18}" text-anchor="middle" font-size="12" fill="${theme.foreground}" fill-opacity="0.7">${escapeText(film.titles[track] ?? "")}</text>
<g transform="translate(0 ${top + TITLE})" clip-path="url(#c)"><g class="s${track}">
${strip}</g></g>`;
  });
  const captions = film.captions.map(
    ({ text }, at) =>
      `<text x="${at * width + 12}" y="22" font-size="15" font-weight="600" fill="${theme.foreground}">${escapeText(text)}</text>`,
  );
  const rows = [...drawn].map(([row, id]) => `<g id="${id}">${row.trim()}</g>`).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(film.about)}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${CELL.size}">
<title>${escapeText(film.about)}</title>
<style>
${[...film.tracks, film.captions].map((frames, track) => keyframes(frames, track, width, film.lengthMs)).join("\n")}
</style>
<defs>
<clipPath id="c"><path d="M0 0H${width}V${height}H0Z"/></clipPath>
${rows}
</defs>
<rect width="${width}" height="${height}" rx="8" fill="${theme.background}"/>
<g clip-path="url(#c)"><g font-family="system-ui, sans-serif" class="s${film.tracks.length}">${captions.join("")}</g></g>
${panes.join("\n")}
</svg>
`;
}

function frameOf(rows: readonly string[], left: number, idOf: (row: string) => string): string {
  const used = rows.map((row, at) => (row === "" ? "" : `<use href="#${idOf(row)}" y="${at * CELL.height}"/>`)).join("");
  return left === 0 ? `<g>${used}</g>` : `<g transform="translate(${left})">${used}</g>`;
}

/** Each frame stands until the next. Readers who want no motion see the last one. */
function keyframes(frames: readonly { at: number }[], track: number, width: number, lengthMs: number): string {
  const stops = frames.map(
    ({ at }, number) => `${((100 * at) / lengthMs).toFixed(2)}%{transform:translateX(${-number * width}px)}`,
  );
  const last = `translateX(${-(frames.length - 1) * width}px)`;
  return `.s${track}{animation:k${track} ${(lengthMs / 1000).toFixed(1)}s steps(1,end) infinite}
@keyframes k${track}{0%{transform:none}${stops.join("")}100%{transform:${last}}}
@media (prefers-reduced-motion:reduce){.s${track}{animation:none;transform:${last}}}`;
}
