// What a full-screen program shows: a terminal emulator reads the stream, and the agent gets the screen as text.
import xterm from "@xterm/headless";
import type { ScreenView } from "../protocol/request-line.ts";
import { cellStyle } from "./cell-style.ts";

/** Text, and its stretches that look different: from where, how many characters, and the style. */
export type StyledText = { text: string; runs: [from: number, length: number, style: string][] };

/** The emulated screen of one terminal. */
export class Screen {
  readonly #terminal: xterm.Terminal;

  constructor(size: { columns: number; rows: number }) {
    this.#terminal = new xterm.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true, scrollback: 0 });
  }

  /** Resolves when the emulator has read the bytes. */
  write(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(bytes, resolve));
  }

  /** True while a full-screen program has the terminal. */
  get fullScreen(): boolean {
    return this.#terminal.buffer.active.type === "alternate";
  }

  /** True while a program wants arrow keys in the form of applications. */
  get applicationKeys(): boolean {
    return this.#terminal.modes.applicationCursorKeysMode;
  }

  /** The lines of the screen, without the empty ones at its end. */
  text(): string {
    const buffer = this.#terminal.buffer.active;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) =>
      (buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "").trimEnd(),
    );
    return lines.join("\n").trimEnd();
  }

  /** The screen with its cursor. */
  view(): ScreenView {
    const { rows, cols } = this.#terminal;
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    const cursor = { row: cursorY + 1, column: cursorX + 1 };
    return { text: this.text(), cursor, full_screen: this.fullScreen, rows, columns: cols };
  }

  /** The screen as it looks. What is empty at the end of lines and of the screen is left out, unless it has a colour. */
  styled(): StyledText {
    const buffer = this.#terminal.buffer.active;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) => styledLine(buffer.getLine(buffer.baseY + row)));
    while (lines.at(-1)?.text === "") lines.pop();
    const runs: StyledText["runs"] = [];
    let start = 0;
    for (const line of lines) {
      for (const [from, length, style] of line.runs) runs.push([start + from, length, style]);
      start += line.text.length + 1;
    }
    return { text: lines.map(({ text }) => text).join("\n"), runs };
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}

function styledLine(line: xterm.IBufferLine | undefined): StyledText {
  const runs: StyledText["runs"] = [];
  let text = "";
  let end = 0;
  for (let column = 0; column < (line?.length ?? 0); column++) {
    const cell = line?.getCell(column);
    // The second half of a wide character has no width.
    if (cell === undefined || cell.getWidth() === 0) continue;
    const shown = cell.getChars() || " ";
    const style = cellStyle(cell);
    const last = runs.at(-1);
    if (style !== "" && last?.[2] === style && last[0] + last[1] === text.length) last[1] += shown.length;
    else if (style !== "") runs.push([text.length, shown.length, style]);
    text += shown;
    if (shown !== " " || style !== "") end = text.length;
  }
  return { text: text.slice(0, end), runs };
}
