// Reading a request's body: bounded, and JSON that can be kept exactly.
import { HapError, parseJson } from "@hap/protocol";

const DEFAULT_BYTES = 1024 * 1024;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The body as JSON, or undefined when there is none. */
export async function readJson(request: Request, maxBytes = DEFAULT_BYTES): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (text === "") return undefined;
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  // A form of another site can send text, but not this type without being asked first.
  if (type !== "application/json")
    throw new HapError("invalid_input", "The body must be sent as Content-Type: application/json.", { field: "content-type" });
  return parseJson(text, "The body");
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = request.headers.get("content-length");
  if (Number(declared ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // What is declared is all that node:http lets through, and is read whole: a stream of the web costs several times that.
  const bytes = declared === null ? await readStream(request, maxBytes) : new Uint8Array(await request.arrayBuffer());
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HapError("invalid_json", "The body is not UTF-8.", { field: "body" });
  }
}

async function readStream(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(limit: number): HapError {
  return new HapError("too_large", `The body is larger than ${limit} bytes, which is the most here.`, { limit });
}
