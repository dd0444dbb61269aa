// Lines to the host: one JSON object each, valid UTF-8, written at once. A reader that went away ends the run quietly.
import type { Writable } from "node:stream";
import type { Frame } from "./encoder.ts";

export class LineWriter {
  readonly #out: Writable;
  #gone = false;

  constructor(out: Writable, onGone: () => void) {
    this.#out = out;
    out.on("error", () => {
      if (this.#gone) return;
      this.#gone = true;
      onGone();
    });
  }

  write(frame: Frame): void {
    if (this.#gone) return;
    // A lone surrogate is no character in any encoding of the wire.
    this.#out.write(`${JSON.stringify(frame, (_, value) => (typeof value === "string" ? value.toWellFormed() : value))}\n`);
  }

  /** Text for a person, without a frame. */
  writeText(text: string): void {
    if (!this.#gone) this.#out.write(text.toWellFormed());
  }

  /** All lines are with the reader, or it is gone. */
  flush(): Promise<void> {
    if (this.#gone) return Promise.resolve();
    return new Promise((resolve) => {
      this.#out.write("", () => resolve());
    });
  }
}
