// Turns what a terminal was sent into plain text, as it streams: CRLF -> LF, escape sequences and bells removed, other
// control characters shown as U+FFFD (D29). Works on bytes, because a character may be split between two chunks.

const NUL_TO_US = 0x20;
const BEL = 0x07;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const DEL = 0x7f;
/** U+FFFD in UTF-8. */
const REPLACEMENT = [0xef, 0xbf, 0xbd];

type State = "text" | "escape" | "charset" | "sequence" | "string" | "string_escape";

/** A filter that remembers where it is between two chunks. */
export class TextFilter {
  #state: State = "text";
  /** Carriage returns that may yet belong to a line end. */
  #returns = 0;

  /** The text in the next chunk. */
  write(chunk: Uint8Array): Uint8Array {
    // Each byte becomes at most three; pending returns come on top.
    const out = new Uint8Array(chunk.length * 3 + this.#returns);
    let length = 0;
    // By index: an iterator costs several times as much, and this sees every byte.
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] ?? 0;
      if (this.#state !== "text") {
        this.#state = next(this.#state, byte);
        continue;
      }
      if (byte === CR) {
        this.#returns++;
        continue;
      }
      // What leaves no trace does not part a return from its line feed either.
      if (byte === ESC) this.#state = "escape";
      if (byte === ESC || byte === BEL) continue;
      if (this.#returns > 0) {
        // Several returns before one line feed are still one line end; a lone one is kept.
        if (byte !== LF) out[length++] = CR;
        this.#returns = 0;
      }
      if ((byte >= NUL_TO_US && byte !== DEL) || byte === LF || byte === TAB) out[length++] = byte;
      else for (const part of REPLACEMENT) out[length++] = part;
    }
    return out.subarray(0, length);
  }
}

/** The state after one byte inside an escape sequence (ECMA-48). */
function next(state: State, byte: number): State {
  switch (state) {
    case "escape":
      if (byte === 0x5b) return "sequence"; // CSI
      if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) return "string"; // OSC DCS SOS PM APC
      if (byte >= 0x20 && byte <= 0x2f) return "charset"; // one more byte follows
      return byte === ESC ? "escape" : "text";
    case "charset":
      return byte >= 0x20 && byte <= 0x2f ? "charset" : "text";
    case "sequence":
      if (byte === ESC) return "escape";
      return byte >= 0x40 && byte <= 0x7e ? "text" : "sequence";
    case "string":
      if (byte === BEL) return "text";
      return byte === ESC ? "string_escape" : "string";
    case "string_escape":
      return byte === 0x5c ? "text" : "string";
    case "text":
      return "text";
  }
}
