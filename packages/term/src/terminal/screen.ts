// What a full-screen program shows: a terminal emulator reads the stream, and the agent gets the screen as text.
import xterm from "@xterm/headless";

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

  dispose(): void {
    this.#terminal.dispose();
  }
}
