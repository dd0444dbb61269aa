// A stream that people and programs read: waits when they are slow, and falls silent when they have gone away.
import type { Writable } from "node:stream";
import type { WriteStream } from "node:tty";

export class Output {
  readonly #stream: Writable & Partial<Pick<WriteStream, "isTTY" | "columns">>;
  #closed = false;

  /** `onLost` hears of a disk that is full and the like; a reader that went away is no news. */
  constructor(
    stream: Writable & Partial<Pick<WriteStream, "isTTY" | "columns">>,
    onLost: (error: NodeJS.ErrnoException) => void = () => {},
  ) {
    this.#stream = stream;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // Whoever read has seen enough (`hap events | head`): no reason to complain, and the exit code stays our own.
      const news = error.code !== "EPIPE" && !this.#closed;
      this.#closed = true;
      if (news) onLost(error);
    });
  }

  /** True once nobody reads any more. */
  get closed(): boolean {
    return this.#closed;
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  /** Columns of the terminal, or undefined when it is none, or does not know (a serial line says 0). */
  get columns(): number | undefined {
    return this.isTerminal ? this.#stream.columns || undefined : undefined;
  }

  line(text = ""): void {
    this.text(`${text}\n`);
  }

  text(text: string): void {
    if (!this.#closed) this.#stream.write(text);
  }

  /** Write, and wait until there is room for more. */
  async stream(text: string): Promise<void> {
    if (this.#closed || this.#stream.write(text)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#stream.off("drain", done).off("error", done).off("close", done);
        resolve();
      };
      this.#stream.on("drain", done).on("error", done).on("close", done);
    });
  }
}
