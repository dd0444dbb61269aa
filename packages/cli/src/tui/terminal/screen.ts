// The terminal while the inbox has it: the alternate screen, keys one by one; and as it was before, however this ends.
import { writeSync } from "node:fs";
import type { ReadStream, WriteStream } from "node:tty";
import { type Frame, frameUpdate } from "./frame-update.ts";

const CSI = "\u001b[";
const STDOUT = 1;
/** The other screen, pasted text told apart, no cursor, rows that never wrap: an agent's words stay in their row. */
const ENTER = `${CSI}?1049h${CSI}?2004h${CSI}?25l${CSI}?7l${CSI}0m${CSI}2J`;
const LEAVE = `${CSI}?2026l${CSI}?2004l${CSI}?7h${CSI}?25h${CSI}0m${CSI}?1049l`;

export class Screen {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  #shown: Frame | null = null;
  #entered = false;

  constructor(input: ReadStream, output: WriteStream) {
    this.#input = input;
    this.#output = output;
  }

  /** A line that does not know its size says 0. */
  get size(): { columns: number; rows: number } {
    return { columns: this.#output.columns || 80, rows: this.#output.rows || 24 };
  }

  enter(): void {
    this.#entered = true;
    this.#input.setRawMode(true);
    this.#output.write(ENTER);
    this.#shown = null;
  }

  draw(frame: Frame): void {
    if (!this.#entered) return;
    const bytes = frameUpdate(this.#shown, frame);
    this.#shown = frame;
    if (bytes !== "") this.#output.write(bytes);
  }

  /** The next frame is drawn whole: the terminal may show anything now. */
  forget(): void {
    this.#shown = null;
  }

  /** As it was before. Written at once, since the process may end with the next instruction; harmless when repeated. */
  leave(): void {
    if (!this.#entered) return;
    this.#entered = false;
    try {
      writeSync(STDOUT, LEAVE);
      this.#input.setRawMode(false);
    } catch {
      // The terminal is gone; there is nothing left to put right.
    }
  }
}
