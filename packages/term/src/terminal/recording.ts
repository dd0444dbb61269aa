// Writes what a terminal showed as an asciicast (version 2), which asciinema and `term replay` play.
import { createWriteStream, type WriteStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";

/** Past this size only a note is added: a recording is for looking, and nobody looks at more. */
const LARGEST_BYTES = 16 * 1024 * 1024;

const FLUSH_MS = 200;

/** One recording in one file. */
export class Recording {
  readonly #file: WriteStream;
  readonly #now: () => number;
  readonly #started: number;
  readonly #decoder = new StringDecoder("utf8");
  #written = 0;
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(path: string, size: { columns: number; rows: number }, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#started = now();
    this.#file = createWriteStream(path);
    const header = { version: 2, width: size.columns, height: size.rows, timestamp: Math.floor(Date.now() / 1000) };
    this.#file.write(`${JSON.stringify({ ...header, env: { TERM: "xterm-256color", SHELL: "/bin/bash" } })}\n`);
  }

  /** What the terminal showed. */
  output(bytes: Buffer): void {
    this.#event("o", this.#decoder.write(bytes));
  }

  /** A line of the harness itself, such as the command that it starts. */
  note(text: string): void {
    this.#event("o", `\u001b[1m${text.replaceAll("\n", "\r\n")}\u001b[0m\r\n`);
  }

  /** What was typed. */
  input(text: string): void {
    this.#event("i", text);
  }

  close(): Promise<void> {
    this.#flush();
    return new Promise((resolve) => this.#file.end(resolve));
  }

  #event(kind: "o" | "i", text: string): void {
    if (text === "" || this.#written > LARGEST_BYTES) return;
    this.#written += text.length;
    const shown = this.#written > LARGEST_BYTES ? "\r\n[... the recording ends here: it is too large ...]\r\n" : text;
    const seconds = Math.round(this.#now() - this.#started) / 1000;
    this.#waiting.push(`${JSON.stringify([seconds, kind, shown])}\n`);
    // Many small writes would cost more than the commands that they record.
    if (text.length > 16_384) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#file.write(this.#waiting.splice(0).join(""));
  }
}
