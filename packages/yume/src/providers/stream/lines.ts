// Lines of newline-delimited JSON, as they arrive. Any chunking of the same text gives the same lines.

/** Gives complete lines without their ends, and no empty ones; `end` gives a last line that has no end. */
export class LineParser {
  #rest: string[] = [];

  push(text: string): string[] {
    const pieces = text.split("\n");
    const last = pieces.pop() ?? "";
    const lines: string[] = [];
    for (const piece of pieces) {
      this.#rest.push(piece);
      lines.push(this.#rest.join(""));
      this.#rest = [];
    }
    if (last !== "") this.#rest.push(last);
    return lines.map(withoutCarriageReturn).filter((line) => line.trim() !== "");
  }

  end(): string[] {
    const line = withoutCarriageReturn(this.#rest.join(""));
    this.#rest = [];
    return line.trim() === "" ? [] : [line];
  }
}

const withoutCarriageReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
