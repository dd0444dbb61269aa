// Standard input as text: bounded, with the byte order marks that Windows and editors write, and nothing that is no text.
import { HapError, LIMITS } from "@hap/protocol";

/** Everything on a stream, up to the limit of one content. */
export async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > LIMITS.contentBytes) {
      throw new HapError(
        "too_large",
        `Standard input has more than ${LIMITS.contentBytes} bytes. Shorten the prompt, or write it to a file and name its path.`,
        { limit: LIMITS.contentBytes },
      );
    }
    chunks.push(chunk);
  }
  return decode(Buffer.concat(chunks));
}

function decode(bytes: Buffer): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    // The decoder takes the mark away.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new HapError(
      "invalid_input",
      "Standard input is not UTF-8 text. Send it as UTF-8, or as UTF-16 with its byte order mark.",
    );
  }
}
