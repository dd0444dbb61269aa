// The server's log in a file, so that the terminal stays readable. One older file is kept.
import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const LARGEST_BYTES = 10 * 1024 * 1024;

export class LogFile {
  readonly path: string;
  #size: number;

  /** Beside the store, readable by its user alone. */
  constructor(storePath: string) {
    this.path = join(dirname(storePath), "hap.log");
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    this.#size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  readonly write = (line: string): void => {
    try {
      if (this.#size > LARGEST_BYTES) {
        renameSync(this.path, `${this.path}.1`);
        this.#size = 0;
      }
      appendFileSync(this.path, line, { mode: 0o600 });
      this.#size += Buffer.byteLength(line);
    } catch {
      // A full disk must not end the server; the store reports it wherever it matters.
    }
  };
}
