// The terminal device itself, not the streams: what is written there is seen by whoever sits at it, and is in no pipe or log.
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { HapError } from "@hap/protocol";

export class TerminalDevice {
  readonly #input: number;
  readonly #output: number;

  /** Open the controlling terminal, or refuse: `what` is what must be confirmed there. */
  constructor(what: string) {
    const windows = process.platform === "win32";
    try {
      this.#input = openSync(windows ? "\\\\.\\CONIN$" : "/dev/tty", "r+");
      this.#output = windows ? openSync("\\\\.\\CONOUT$", "r+") : this.#input;
    } catch (error) {
      throw new HapError(
        "terminal_needed",
        `${what} must be confirmed at a terminal, and this process has none. Run it yourself in a terminal window.`,
        {},
        error,
      );
    }
  }

  write(text: string): void {
    writeSync(this.#output, text);
  }

  /** One line as it was typed, or what there is when the terminal goes away. */
  readLine(): string {
    const bytes: number[] = [];
    const one = new Uint8Array(1);
    while (this.#read(one)) {
      if (one[0] === 0x0a || one[0] === 0x0d) break;
      bytes.push(one[0] as number);
    }
    return Buffer.from(bytes).toString("utf8");
  }

  #read(one: Uint8Array): boolean {
    try {
      return readSync(this.#input, one) === 1;
    } catch (error) {
      // The terminal was closed, or this process may not read from it (in the background): nobody typed anything.
      if (["EIO", "EOF", "ENXIO"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
      throw error;
    }
  }

  close(): void {
    closeSync(this.#input);
    if (this.#output !== this.#input) closeSync(this.#output);
  }
}
