// Running an operation over HTTP: the table says which method and path, and what of the input goes where.
import type { Operation, Operations, Send } from "@hap/protocol/operations";
import { callJson, problemError, type Transport, type WireRequest } from "./transport.ts";

type Input = Readonly<Record<string, unknown>>;

/** Sends every operation of a table to a server. */
export function sendTo<T extends Operations>(transport: Transport, operations: T): Send<T> {
  return (name, input, options) => callOperation(transport, operations[name] as Operation, input as Input, options) as never;
}

/** Run one operation; its answer as JSON, or as bytes. */
async function callOperation(
  transport: Transport,
  operation: Operation,
  input: Input,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  const request = { ...requestOf(operation, input), ...options };
  if (operation.media === undefined) return callJson(transport, request);
  const { status, body } = await transport.send(request);
  if (status === 200) return body;
  throw problemError(transport.url, status, new TextDecoder().decode(body));
}

/** The request of an operation. */
function requestOf({ method, path, headers = {} }: Operation, input: Input): WireRequest {
  const rest: Record<string, unknown> = { ...input };
  const taken = (name: string) => {
    const value = rest[name];
    delete rest[name];
    return value;
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(taken(name))));
  const sent = Object.entries(headers).flatMap(([name, { field }]) => {
    const value = taken(field);
    return value === undefined ? [] : [[name.toLowerCase(), String(value)] as const];
  });
  const about = sent.length === 0 ? {} : { headers: Object.fromEntries(sent) };
  if (method === "POST") return { method, path: filled, body: rest, ...about };
  return { method, path: filled + queryString(rest), ...about };
}

/** A query string of the defined values; lists are joined by commas. */
function queryString(query: Input): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
