// An operation's input from a request: path parameters, query or body, and headers, parsed once.
import type { IncomingMessage } from "node:http";
import { HapError, once, parseJson, parseWith } from "@hap/protocol";
import { type Operation, shapes } from "@hap/protocol/operations";
import type * as z from "zod";
import type { Headers } from "./request.ts";

const DEFAULT_BYTES = 1024 * 1024;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads the input of one request of an operation. Its schema is made with the first. */
export type InputReader = (
  incoming: IncomingMessage,
  headers: Headers,
  params: Record<string, string>,
) => Promise<object> | object;

/** A reader of an operation's input. */
export function inputReader(operation: Operation): InputReader {
  const { input, method, needsBody = false, parsedBy, maxBytes = DEFAULT_BYTES } = operation;
  const extra = Object.entries(operation.headers ?? {}).map(([name, { field }]) => [name.toLowerCase(), field] as const);
  const withHeaders = (value: object, headers: Headers) => {
    for (const [name, field] of extra) {
      const given = headers.get(name);
      if (given !== null) (value as Record<string, unknown>)[field] = given;
    }
    return value;
  };
  if (input === undefined) return (_incoming, headers, params) => withHeaders({ ...params }, headers);
  const schema = once(() => input(shapes) as z.ZodType<object>);
  if (method === "GET")
    return (incoming, headers, params) =>
      withHeaders({ ...defined(parseWith(schema(), readQuery(incoming.url ?? ""), "The query")), ...params }, headers);
  const parse = (body: unknown) => (parsedBy === "handler" ? anyObject(body) : parseWith(schema(), body, "The body"));
  return async (incoming, headers, params) => {
    const body = await readJson(incoming, headers, maxBytes);
    if (body === undefined && (needsBody || !schema().safeParse({}).success))
      throw new HapError("invalid_input", "This needs a JSON body.", { field: "body" });
    return withHeaders({ ...defined(parse(body ?? {})), ...params }, headers);
  };
}

/** A body that its handler parses: here it must only be an object. */
function anyObject(body: unknown): object {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw new HapError("invalid_input", "The body must be a JSON object.", { field: "body" });
}

/** Without the fields that were left out. */
function defined(values: object): object {
  for (const [name, value] of Object.entries(values)) if (value === undefined) delete (values as Record<string, unknown>)[name];
  return values;
}

function readQuery(url: string): Record<string, string> {
  const query: Record<string, string> = {};
  const from = url.indexOf("?");
  if (from === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(from))) {
    if (Object.hasOwn(query, name))
      throw new HapError("invalid_input", `${name.slice(0, 60)} is given twice in the query.`, { field: name });
    query[name] = value;
  }
  return query;
}

/** The body as JSON, or undefined when there is none. */
async function readJson(incoming: IncomingMessage, headers: Headers, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(incoming, headers, maxBytes);
  if (bytes.byteLength === 0) return undefined;
  const type = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  // A form of another site can send text, but not this type without asking first.
  if (type !== "application/json")
    throw new HapError("invalid_input", "The body must be sent as Content-Type: application/json.", { field: "content-type" });
  return parseJson(readText(bytes), "The body");
}

function readText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HapError("invalid_json", "The body is not UTF-8.", { field: "body" });
  }
}

function readBytes(incoming: IncomingMessage, headers: Headers, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const tooLarge = () =>
      reject(
        new HapError("too_large", `The body is larger than ${maxBytes} bytes, which is the most here.`, { limit: maxBytes }),
      );
    if (Number(headers.get("content-length") ?? 0) > maxBytes) return tooLarge();
    const chunks: Uint8Array[] = [];
    let size = 0;
    incoming.on("data", (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size > maxBytes) {
        incoming.removeAllListeners("data").resume();
        tooLarge();
      } else chunks.push(chunk);
    });
    incoming.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)));
    incoming.on("error", reject);
  });
}
