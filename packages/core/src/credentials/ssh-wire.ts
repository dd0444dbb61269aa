// The wire format of SSH (RFC 4251): bytes, numbers and strings, read without looking past the end.
import { malformed } from "./malformed.ts";

/** Reads one value after the other. */
export class SshReader {
  readonly #bytes: Buffer;
  readonly #field: string;
  #at = 0;

  constructor(bytes: Uint8Array, field: string) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#field = field;
  }

  bytes(count: number): Buffer {
    if (count > this.#bytes.length - this.#at) throw malformed(this.#field, "it ends too early");
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  byte(): number {
    return this.bytes(1)[0] as number;
  }

  uint32(): number {
    return this.bytes(4).readUInt32BE();
  }

  string(): Buffer {
    return this.bytes(this.uint32());
  }

  text(): string {
    return this.string().toString("latin1");
  }

  /** A number that is not negative, big-endian and without its leading zeros, in `size` bytes where that is given. */
  number(size?: number): Buffer {
    let bytes = this.string();
    if (bytes.length > 0 && (bytes[0] as number) & 0x80) throw malformed(this.#field, "a number in it is negative");
    while (bytes.length > 0 && bytes[0] === 0) bytes = bytes.subarray(1);
    if (size === undefined) return bytes;
    if (bytes.length > size) throw malformed(this.#field, "a number in it is too large");
    return Buffer.concat([Buffer.alloc(size - bytes.length), bytes]);
  }

  /** Nothing may follow. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw malformed(this.#field, "something follows its end");
  }
}

/** A string as it goes over the wire. */
export function sshString(value: string | Uint8Array): Buffer {
  const bytes = typeof value === "string" ? Buffer.from(value, "utf8") : Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
