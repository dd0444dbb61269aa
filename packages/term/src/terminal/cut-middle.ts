// Keeps the beginning and the end of a stream within a limit, and counts what it drops. Memory does not grow with the stream.

/** Collects bytes; past the limit the middle goes. */
export class CutMiddle {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head: Uint8Array[] = [];
  #headLength = 0;
  #tail: Uint8Array[] = [];
  #tailLength = 0;
  #total = 0;

  constructor(limitBytes: number) {
    this.#headLimit = Math.ceil(limitBytes / 2);
    this.#tailLimit = Math.floor(limitBytes / 2);
  }

  write(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const room = this.#headLimit - this.#headLength;
    if (room > 0) {
      const part = chunk.slice(0, room);
      this.#head.push(part);
      this.#headLength += part.length;
    }
    const rest = chunk.subarray(Math.max(room, 0));
    if (rest.length === 0) return;
    // A copy, so that a small piece does not keep a large buffer alive.
    this.#tail.push(rest.slice(Math.max(0, rest.length - this.#tailLimit)));
    this.#tailLength += Math.min(rest.length, this.#tailLimit);
    while (this.#tail.length > 1 && this.#tailLength - (this.#tail[0]?.length ?? 0) >= this.#tailLimit)
      this.#tailLength -= this.#tail.shift()?.length ?? 0;
  }

  /** The text, with a line in the middle that says how many bytes are gone. */
  read(): { text: string; omittedBytes: number } {
    const tail = Buffer.concat(this.#tail);
    const end = tail.subarray(Math.max(0, tail.length - this.#tailLimit));
    const omitted = this.#total - this.#headLength - end.length;
    const head = Buffer.concat(this.#head);
    if (omitted === 0) return { text: decode(Buffer.concat([head, end])), omittedBytes: 0 };
    const before = wholeCharactersAtEnd(head);
    const after = wholeCharactersAtStart(end);
    const omittedBytes = this.#total - before.length - after.length;
    return { text: `${decode(before)}\n[... ${omittedBytes} bytes omitted ...]\n${decode(after)}`, omittedBytes };
  }
}

/** Invalid UTF-8 and the control characters above ASCII are shown as U+FFFD. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/[\u0080-\u009f]/g, "\ufffd");
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function wholeCharactersAtStart(bytes: Uint8Array): Uint8Array {
  let from = 0;
  while (from < 3 && isContinuation(bytes[from])) from++;
  return bytes.subarray(from);
}

function wholeCharactersAtEnd(bytes: Uint8Array): Uint8Array {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--;
  const byte = bytes[lead] ?? 0;
  const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return bytes.length - lead < needs ? bytes.subarray(0, lead) : bytes;
}
