// The shell tells the harness of its prompts by marks in the terminal's own stream, so that they keep their place among the
// output. A mark is an operating system command with a nonce of this terminal on both ends; programs cannot hit it by chance.

/** What a mark says. */
export type Mark =
  | { kind: "go"; number: number }
  | { kind: "prompt"; exitCode: number; cwd: string }
  | { kind: "died"; exitCode: number };

/** A part of the stream: bytes for the person, or a mark. */
export type Part = { bytes: Buffer } | { mark: Mark };

/** How a mark begins, in the shell's printf notation and on the wire. */
export const MARK_CODE = "6973";

/** Splits a stream into bytes and marks; a mark may be split between chunks. */
export class FindMarks {
  readonly #open: Buffer;
  readonly #close: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(nonce: string) {
    this.#open = Buffer.from(`\u001b]${MARK_CODE};${nonce};`);
    this.#close = Buffer.from(`;${nonce}\u0007`);
  }

  write(chunk: Buffer): Part[] {
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const parts: Part[] = [];
    for (;;) {
      const start = rest.indexOf(this.#open);
      if (start === -1) {
        const keep = possibleStart(rest, this.#open);
        if (rest.length > keep) parts.push({ bytes: rest.subarray(0, rest.length - keep) });
        this.#held = Buffer.from(rest.subarray(rest.length - keep));
        return parts;
      }
      if (start > 0) parts.push({ bytes: rest.subarray(0, start) });
      const end = rest.indexOf(this.#close, start + this.#open.length);
      if (end === -1) {
        this.#held = Buffer.from(rest.subarray(start));
        return parts;
      }
      const mark = readMark(rest.subarray(start + this.#open.length, end).toString("utf8"));
      if (mark !== null) parts.push({ mark });
      rest = rest.subarray(end + this.#close.length);
    }
  }
}

/** How many bytes at the end could be the beginning of a mark. */
function possibleStart(bytes: Buffer, open: Buffer): number {
  const from = bytes.lastIndexOf(0x1b);
  if (from === -1 || bytes.length - from >= open.length) return 0;
  return open.subarray(0, bytes.length - from).equals(bytes.subarray(from)) ? bytes.length - from : 0;
}

function readMark(text: string): Mark | null {
  const [, kind, number, cwd] = /^(go|prompt|died);(\d+)(?:;(.*))?$/s.exec(text) ?? [];
  if (kind === "go") return { kind, number: Number(number) };
  if (kind === "died") return { kind, exitCode: Number(number) };
  // The terminal writes a line feed as CR LF, in the name of a folder too.
  if (kind === "prompt") return { kind, exitCode: Number(number), cwd: (cwd ?? "/").replaceAll("\r\n", "\n") };
  return null;
}
