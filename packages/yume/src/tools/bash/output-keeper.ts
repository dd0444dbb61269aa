// What a command says, bounded: the beginning and the end in memory, all of it in a file once it is long.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { StringDecoder } from "node:string_decoder";

const HEAD = 15_000;
const TAIL = 15_000;
const FILE_LIMIT = 50 * 1024 * 1024;

export class OutputKeeper {
  readonly #path: string;
  readonly #decoder = new StringDecoder("utf8");
  #head = "";
  #tail = "";
  #length = 0;
  #file: number | null = null;
  #lost = false;
  #written = 0;
  #unread = "";

  /** `path` is where all of it goes when it is long. */
  constructor(path: string) {
    this.#path = path;
  }

  add(chunk: Buffer): void {
    const words = this.#decoder.write(chunk);
    this.#length += words.length;
    this.#unread = (this.#unread + words).slice(-HEAD - TAIL);
    const room = HEAD - this.#head.length;
    if (room > 0) this.#head += words.slice(0, room);
    const rest = room > 0 ? words.slice(room) : words;
    if (rest === "") return;
    if (this.#written < FILE_LIMIT) this.#keep(rest);
    this.#written += rest.length;
    this.#tail = (this.#tail + rest).slice(-TAIL);
  }

  /** All that is told: the middle of a long output is in a file that is named. */
  text(): string {
    const missing = this.#length - this.#head.length - this.#tail.length;
    if (missing <= 0) return (this.#head + this.#tail).toWellFormed();
    return `${this.#head.toWellFormed()}\n\n[${missing} characters left out; ${this.#lost ? "they could not be kept" : `the whole output is in ${this.#path}`}]\n\n${this.#tail.toWellFormed()}`;
  }

  /** What came since the last time this was asked. */
  takeUnread(): string {
    const words = this.#unread.toWellFormed();
    this.#unread = "";
    return words;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** At once, so that the file is whole when its name is told. A full disk loses the long form only. */
  #keep(words: string): void {
    if (this.#lost) return;
    try {
      if (this.#file === null) {
        mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
        this.#file = openSync(this.#path, "w", 0o600);
        writeSync(this.#file, this.#head);
      }
      writeSync(this.#file, words);
    } catch {
      this.#lost = true;
    }
  }
}
