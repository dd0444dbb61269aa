// What the remote clients need from the network; a page and a process bring it in different ways.
import { ERRORS, type ErrorCode, HapError } from "@hap/protocol";

/** A request, with JSON or nothing in it. `path` begins with a slash. */
export type WireRequest = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
};

/** A response that was read whole. */
export type WireResponse = { status: number; body: Uint8Array };

/** One way to a server. A failure to reach it is the error `server_unreachable`. */
export interface Transport {
  /** The server's address, for people to read. */
  readonly url: string;
  send(request: WireRequest): Promise<WireResponse>;
  /** Text as it arrives, until the server ends it. */
  stream(request: WireRequest): AsyncIterable<string>;
  close(): void;
}

const utf8 = new TextDecoder();

/** Send, and read the JSON of a success; a problem becomes the error that it is. */
export async function callJson<T>(transport: Transport, request: WireRequest): Promise<T> {
  const { status, body } = await transport.send(request);
  const text = utf8.decode(body);
  if (status >= 200 && status < 300) return (text === "" ? undefined : JSON.parse(text)) as T;
  throw problemError(transport.url, status, text);
}

/** The error that a problem is. What is no problem of HAP's is somebody else answering. */
export function problemError(url: string, status: number, text: string): HapError {
  try {
    const { type: _type, title: _title, status: _status, detail, code, ...fields } = JSON.parse(text) as Record<string, unknown>;
    if (typeof code === "string" && Object.hasOwn(ERRORS, code)) return new HapError(code as ErrorCode, String(detail), fields);
  } catch {
    // Not JSON: the words below say what came.
  }
  return new HapError("server_unreachable", `${url} answered ${status}, which is not an answer of HAP. Is HAP_URL right?`, {
    url,
    status,
  });
}

/** The error for a server that cannot be reached. */
export function unreachable(url: string, cause: unknown): HapError {
  const why = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause);
  return new HapError(
    "server_unreachable",
    `The HAP server at ${url} cannot be reached (${why}). Is it running, and is HAP_URL right?`,
    { url },
    cause,
  );
}

/** True for failures after which the same request may be tried again. */
export function mayRetry(error: unknown): boolean {
  return error instanceof HapError && (error.code === "server_unreachable" || error.code === "server_stopping");
}

/** Longer and longer pauses between tries, never quite the same. */
export class Backoff {
  #ms = 100;

  async pause(signal?: AbortSignal): Promise<void> {
    const ms = this.#ms * (0.5 + Math.random() / 2);
    this.#ms = Math.min(this.#ms * 2, 5_000);
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, ms);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
  }

  reset(): void {
    this.#ms = 100;
  }
}
