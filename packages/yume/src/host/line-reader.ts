// Standard input as lines of any size. UTF-8 that is split between chunks stays whole; the last line needs no line feed.
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Call `onLine` for each line, and `onEnd` once. `read` is what was read of the input before. */
export function readLines(input: Readable, read: Buffer, onLine: (line: string) => void, onEnd: () => void): void {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  let ended = false;
  const take = (text: string) => {
    const lines = text.split("\n");
    const last = lines.pop() as string;
    for (const line of lines) {
      parts.push(line);
      onLine(parts.join("").replace(/\r$/, ""));
      parts = [];
    }
    if (last !== "") parts.push(last);
  };
  const end = () => {
    if (ended) return;
    ended = true;
    take(decoder.end());
    if (parts.length > 0) onLine(parts.join("").replace(/\r$/, ""));
    onEnd();
  };
  if (read.length > 0) take(decoder.write(read));
  if (input.readableEnded) {
    end();
    return;
  }
  input.on("data", (chunk: Buffer) => take(decoder.write(chunk)));
  input.on("end", end);
  input.on("close", end);
  input.on("error", end);
  input.resume();
}
